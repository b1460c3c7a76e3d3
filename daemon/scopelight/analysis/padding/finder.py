"""Finds padding: the rows of a padding record, and what is to be known of them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import attrs

from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.padding.sites import (
    Program,
    computed_products,
    dimension_roles,
    fused_arrays,
    written_arrays,
)
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.names import primitive_of, shape_text
from scopelight.findings import Finding, note
from scopelight.model.devices.device_model import DeviceModel
from scopelight.program.cost.block_products import block_product
from scopelight.program.cost.matrix_unit import product_padding
from scopelight.program.cost.opcode_flops import WITHOUT_ARITHMETIC
from scopelight.program.cost.rates import BackendRates
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import byte_size, element_count
from scopelight.program.hlo.tiling import (
    DimensionPadding,
    DimensionRole,
    layout_padding,
    padded_byte_size,
    predicted_shape,
)

_CALLBACK = "callback"
"""What the targets of custom calls into Python hold: no product of the device."""


@attrs.define(slots=True, eq=False)
class ProductNotes:
    """What is seen of the products of programs that no row tells: ops by reason, each with its self time."""

    _left_out: dict[str, dict[tuple[str, str], int]] = attrs.field(factory=dict)
    _in_groups: dict[tuple[str, str], int] = attrs.field(factory=dict)

    def see(self, module: HloModule, inner: Instruction, op: tuple[str, str], self_ps: int | None) -> None:
        """Take note of an instruction in the op of a program and name."""
        is_known = block_product(module, inner) is not None
        if is_known and inner.opcode == "ragged-dot":
            self._in_groups[op] = self_ps or 0
        reason = None if is_known else _why_unknown(module, inner)
        if reason is not None:
            self._left_out.setdefault(reason, {})[op] = self_ps or 0

    def findings(self, op_time_ps: int) -> Iterator[Finding]:
        """A note for each reason; shares are of ``op_time_ps``, and None where that is nothing."""
        for reason, ops in self._left_out.items():
            yield note("products-left-out", reason=reason, ops=len(ops), share_ratio=_share(ops, op_time_ps))
        if self._in_groups:
            share_ratio = _share(self._in_groups, op_time_ps)
            yield note("rows-as-one-block", ops=len(self._in_groups), share_ratio=share_ratio)


def _why_unknown(module: HloModule, instruction: Instruction) -> str | None:
    """Why an instruction is no product that is known; None where it is known to be none, or an empty one."""
    if instruction.opcode == "custom-call" and instruction.dot is None and instruction.convolution is None:
        target = instruction.custom_call_target
        return None if target in WITHOUT_ARITHMETIC or _CALLBACK in target else "custom-calls-unknown"
    if instruction.opcode not in (*PRODUCTS, "custom-call"):
        return None
    operands = [module.instructions[row].shape for row in instruction.operands[:2]]
    if not all(element_count(each) for each in operands):
        return None
    return "groups-unknown" if instruction.opcode == "ragged-dot" else "dimensions-unknown"


def _share(ops: dict[tuple[str, str], int], op_time_ps: int) -> float | None:
    return sum(ops.values()) / op_time_ps if op_time_ps else None


@attrs.frozen(eq=False, repr=False)
class TimedProgram:
    """A program, the times of its ops by name where it ran, and the whole that shares are of."""

    program: Program
    name: str
    program_id: str
    self_ps: Mapping[str, int] | None
    op_time_ps: int
    rates: BackendRates


@attrs.frozen(eq=False, repr=False)
class FoundPadding:
    """A row, and what it is sorted by."""

    row: PaddingRow
    wasted_ps: float
    work: float
    """Padding in FLOPs, by which what did not run is sorted: bytes count as many FLOPs as fit in their time."""


@attrs.frozen(slots=True, eq=False)
class _PaddedArray:
    """What the tiles make of an array."""

    shape: Shape
    dims: Sequence[DimensionPadding]
    used_ratio: float
    extra_elements: int
    extra_bytes: int


class PaddingFinder:
    """Finds the padding of programs; ``target`` is the device to predict it for, None where layouts say it."""

    def __init__(self, centre: Centre, target: DeviceModel | None) -> None:
        self._target = target
        self._centre = centre
        self._frames = centre.frames
        self._shares = centre.shares
        self._known: dict[int, _PaddedArray] = {}
        self.notes = ProductNotes()
        """On the products of the programs that were looked at."""

    def of(self, timed: TimedProgram, matrix_unit: tuple[int, int]) -> Iterator[FoundPadding]:
        """The padded arrays and products of one program, in the order of its ops."""
        module = timed.program.module
        for op, shape in written_arrays(timed.program):
            found = self._array(timed, op, op, shape)
            if found is not None:
                yield found
        if self._target is None:
            # Another compiler fuses in its own way: what it would pass on inside of fusions cannot be predicted.
            costs = partial(self._shares.costs_inside, module, rates=timed.rates)
            for op, inner, shape, part in fused_arrays(timed.program, costs):
                found = self._array(timed, op, inner, shape, part)
                if found is not None:
                    yield found
        for op, inner in computed_products(timed.program):
            product = product_padding(module, inner, matrix_unit)
            self.notes.see(module, inner, (timed.program_id, op.name), (timed.self_ps or {}).get(op.name))
            if product is not None and product.used_ratio < 1:
                yield self._found(
                    timed,
                    op,
                    inner,
                    shape=product.text,
                    dims=product.dims,
                    used_ratio=product.used_ratio,
                    extra_bytes=None,
                    work=product.padded_flops - product.flops,
                )

    def _array(
        self, timed: TimedProgram, op: Instruction, inner: Instruction, shape: Shape, part: float = 1.0
    ) -> FoundPadding | None:
        padded = self._padded(shape)
        if padded.used_ratio == 1:
            return None
        if inner is op:
            dims = _with_roles(padded.dims, dimension_roles(timed.program.module, op, shape))
            work = padded.extra_bytes * timed.rates.flops_per_byte
        else:
            # Padding inside a fusion is computed with and not moved.
            dims = padded.dims
            work = padded.extra_elements * timed.rates.elementwise_flops
        return self._found(
            timed,
            op,
            inner,
            shape=shape_text(shape),
            dims=dims,
            used_ratio=padded.used_ratio,
            extra_bytes=padded.extra_bytes,
            work=work,
            part=part,
        )

    def _padded(self, shape: Shape) -> "_PaddedArray":
        # Keyed by identity, which is quick: the arrays of a program share their shapes, and these are kept.
        known = self._known.get(id(shape))
        if known is None:
            rules = self._target.tile_rules if self._target is not None else None
            laid_out = predicted_shape(shape, rules) if rules is not None else shape
            dims = layout_padding(laid_out)
            used, padded = math.prod(each.size for each in dims), math.prod(each.padded for each in dims)
            extra_bytes = padded_byte_size(laid_out) - byte_size(shape)
            known = self._known[id(shape)] = _PaddedArray(
                shape, dims, used / padded if padded else 1.0, padded - used, extra_bytes
            )
        return known

    def _found(
        self,
        timed: TimedProgram,
        op: Instruction,
        inner: Instruction,
        *,
        shape: str,
        dims: Sequence[DimensionPadding],
        used_ratio: float,
        extra_bytes: int | None,
        work: float,
        part: float = 1.0,
    ) -> FoundPadding:
        self_ps = None if timed.self_ps is None else timed.self_ps.get(op.name)
        if self_ps is not None:
            self_ps = round(self_ps * part)
        share = self_ps / timed.op_time_ps if self_ps is not None and timed.op_time_ps else None
        frame = self._shares.line(timed.program.module, inner, timed.rates)
        program_key = self._centre.program_key(timed.program_id, timed.name)
        row = PaddingRow(
            key=self._centre.instruction_key(program_key, timed.program.module, op, timed.rates),
            line_key=self._centre.line_key(frame) if frame is not None else None,
            program=timed.name,
            program_id=timed.program_id,
            op=op.name,
            **self._frames.place_fields(frame),
            shape=shape,
            dims=tuple(dims),
            used_ratio=used_ratio,
            extra_bytes=extra_bytes,
            basis="layout" if extra_bytes is not None else "matrix-unit",
            predicted=self._target is not None,
            self_ps=self_ps,
            share_ratio=share,
            inner=inner.name if inner is not op else None,
            primitive=primitive_of(timed.program.module, inner),
            phase=PHASE_NAMES[self._shares.phase(timed.program.module, inner, timed.rates)],
        )
        return FoundPadding(row, (self_ps or 0) * (1 - used_ratio), work)


def _with_roles(dims: Sequence[DimensionPadding], roles: Sequence[DimensionRole] | None) -> Sequence[DimensionPadding]:
    if roles is None:
        return dims
    return [attrs.evolve(each, role=role) for each, role in zip(dims, roles, strict=True)]
