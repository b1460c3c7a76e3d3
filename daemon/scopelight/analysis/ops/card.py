"""The op card: everything that is known of one op."""

import itertools
from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.ops.elements import Element
from scopelight.analysis.ops.expression import expression, layout_text
from scopelight.analysis.ops.over_hosts import on_hosts
from scopelight.analysis.ops.peaks import peak_record
from scopelight.analysis.ops.records import ArrayRecord, OpCardRecord, OpElementRecord
from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.analysis.padding.matrix_unit import matrix_unit_of_target
from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.padding.resizing import used_ratio
from scopelight.analysis.padding.sites import dimension_roles
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.names import primitive_of, shape_text
from scopelight.model.devices.device_model import DeviceModel
from scopelight.phrase import Phrase
from scopelight.program.cost.matrix_unit import product_padding
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size, leaves
from scopelight.program.hlo.tiling import (
    DimensionRole,
    layout_padding,
    padded_byte_size,
    predicted_shape,
)

_RESULT = "result"
MOST_ARRAYS = 64
"""Operands and parts of the result; a person reads no more."""


def op_card_record(table: OpTable, key: str, target: DeviceModel | None = None) -> OpCardRecord:
    """The card of the op of a key.

    ``target`` is the device that padding is predicted for where the one that ran has no tiles. Raises `LookupError`
    with a sentence where the table has no such op.
    """
    entry = next((each for each in table.entries if each.row.key == key), None)
    if entry is None:
        raise LookupError(Phrase("No op of the key {key} ran in this profile.", key=key))
    peaks = table.peaks.of_device.get(entry.device)
    maker = _Maker(table, entry, target)
    return OpCardRecord(
        op=attrs.evolve(entry.row, findings=table.findings_of(entry)),
        peak=peak_record(peaks) if peaks is not None else None,
        expression=maker.expression(),
        arrays=tuple(maker.arrays()),
        matrix_unit=tuple(maker.matrix_unit()),
        elements=tuple(maker.elements()),
        stack=tuple(table.centre.frames.place(frame) for frame in maker.user_stack()),
        counters=dict(entry.op.counters),
        hosts=tuple(on_hosts(table, entry)),
    )


class _Maker:
    def __init__(self, table: OpTable, entry: OpEntry, target: DeviceModel | None) -> None:
        self._table = table
        self._entry = entry
        self._frames = table.centre.frames
        self._device = table.totals.devices[entry.device]
        # A device with tiles has said in its layouts how it pads.
        self._target = None if self._device.has_tiles else target

    def expression(self) -> str:
        op = self._entry.op
        return expression(op.module, op.instruction) if op.module is not None and op.instruction is not None else ""

    def arrays(self) -> Iterator[ArrayRecord]:
        op = self._entry.op
        if op.module is None or op.instruction is None:
            return
        left = MOST_ARRAYS
        operands = [
            (each.name, each.shape) for each in map(op.module.instructions.__getitem__, op.instruction.operands)
        ]
        for role, shape in ((_RESULT, op.instruction.shape), *operands):
            for leaf in itertools.islice(filter(_is_array, leaves(shape)), left):
                left -= 1
                roles = dimension_roles(op.module, op.instruction, leaf) if role == _RESULT else None
                yield self._array(role, leaf, roles)

    def _array(self, role: str, shape: Shape, roles: Sequence[DimensionRole] | None) -> ArrayRecord:
        rules = self._target.tile_rules if self._target is not None else None
        predicted = rules is not None and not (shape.layout is not None and shape.layout.tiles)
        laid_out = predicted_shape(shape, rules) if rules is not None and predicted else shape
        dims = layout_padding(laid_out, roles)
        return ArrayRecord(
            role=role,
            shape=shape_text(shape),
            layout=layout_text(laid_out.layout),
            space=self._device.memory_spaces.of_array(laid_out),
            bytes=byte_size(shape),
            padded_bytes=padded_byte_size(laid_out),
            dims=dims,
            used_ratio=used_ratio(dims),
            predicted=predicted,
        )

    def matrix_unit(self) -> Iterator[PaddingRow]:
        op = self._entry.op
        own = self._table.matrix_unit if self._target is None else matrix_unit_of_target(self._target)
        unit = None if own is None else (own.rows, own.columns)
        if unit is None or op.module is None or op.instruction is None:
            return
        for instruction in _products(op.module, op.instruction):
            product = product_padding(op.module, instruction, unit)
            if product is None:
                continue
            user = self._frames.of(instruction.stack)
            row = self._entry.row
            yield PaddingRow(
                key=row.key,
                line_key=self._table.centre.line_key(user[0]) if user else None,
                program=row.program,
                program_id=row.program_id,
                op=row.name,
                **(self._frames.place_fields(user[0]) if user else place_fields(row)),
                shape=product.text,
                dims=product.dims,
                used_ratio=product.used_ratio,
                extra_bytes=None,
                basis="matrix-unit",
                predicted=self._target is not None,
                self_ps=row.self_ps,
                share_ratio=row.share_ratio,
                inner=instruction.name if instruction is not op.instruction else None,
                primitive=primitive_of(op.module, instruction),
                phase=row.phase,
            )

    def elements(self) -> Iterator[OpElementRecord]:
        """What is inside a fusion, the longest by estimate first."""
        op = self._entry.op
        elements = self._table.elements.of(op)
        if not elements:
            return
        assert op.module is not None
        assert op.instruction is not None
        shares = self._table.elements.time_shares(op.module, op.instruction, self._device.rates)
        for element in sorted(elements, key=lambda each: -shares.get(each.row, 0.0)):
            yield self._element(element, shares.get(element.row))

    def _element(self, element: Element, share_ratio: float | None) -> OpElementRecord:
        return OpElementRecord(
            name=element.name,
            opcode=element.opcode,
            primitive=element.primitive,
            shape=element.shape,
            flops=None if element.flops is None else element.flops * self._entry.runs,
            share_ratio=share_ratio,
            **self._frames.place_fields(element.frame),
        )

    def user_stack(self) -> tuple[Frame, ...]:
        """The user frames of the op, or of the line that most of its time went to where it has none of its own.

        Each once: a checkpointed function that is differentiated in a scan has its callers several times.
        """
        user = self._frames.every(self._entry.op.stack)
        if user:
            return tuple(dict.fromkeys(user))
        return tuple(part.frame for charged in self._entry.charged[:1] for part in charged.parts[:1])


def _is_array(leaf: Shape) -> bool:
    return leaf.element_type not in ("tuple", "token", "opaque")


def _products(module: HloModule, instruction: Instruction) -> Iterator[Instruction]:
    """The op itself, and what is inside it where it is a fusion."""
    yield instruction
    if instruction.opcode == "fusion":
        for called in instruction.called:
            yield from map(module.instructions.__getitem__, module.computations[called].instructions)
