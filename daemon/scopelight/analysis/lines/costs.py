"""Costs of lines: the FLOPs, rates and padding of the ops that each line of a run is charged with.

Joins three records of one run: its lines, its ops, and their padding. Where several lines share an op, its FLOPs are
divided among them as its time is.
"""

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import attrs

from scopelight.analysis.ops.records import OpRow, OpsRecord
from scopelight.analysis.ops.utilisation import LEAST_EXCESS_RATIO, added
from scopelight.analysis.padding.records import PaddingRecord, PaddingRow
from scopelight.analysis.padding.resizing import common_tiles, fitting, next_multiple
from scopelight.analysis.records import LineOpRecord, LineRecord, LinesRecord
from scopelight.program.hlo.tiling import DimensionPadding

_PS_PER_S = 10**12
_NEGLIGIBLE_RATIO = 0.01
"""What is unknown of less than this changes no figure that is written in three digits by much."""

_MOST_GROWTH = 4 / 3
"""A size that fits better in one place is not worth much more work in the others."""


@attrs.frozen(slots=True)
class LineCost:
    """What the ops of one line, or of several together, computed in the wall clock that they took.

    ``flops`` is over the window, None where it is known of no op; ``unknown_ps`` is the wall clock of those that it is
    not known of. ``flop_utilisation_ratio`` is of the peaks of the types that the ops ran in, None without one;
    ``flops_without_peak`` were of a type that has none. ``is_estimated``: an op is shared with other lines.
    """

    wall_ps: float
    flops: float | None
    flops_per_step: float | None
    unknown_ps: float
    flop_utilisation_ratio: float | None
    flops_without_peak: float
    is_estimated: bool

    @property
    def flops_are_least(self) -> bool:
        """Whether so much time went to ops of unknown FLOPs that more was computed than is known."""
        return self.unknown_ps > self.wall_ps * _NEGLIGIBLE_RATIO

    @property
    def utilisation_is_least(self) -> bool:
        """Whether more of the peak was used than is known."""
        return self.flops_are_least or self.flops_without_peak > (self.flops or 0) * _NEGLIGIBLE_RATIO

    @property
    def flops_per_s(self) -> float | None:
        """FLOPs over the wall clock of the ops; None where either is unknown or nothing."""
        return self.flops * _PS_PER_S / self.wall_ps if self.flops is not None and self.wall_ps else None


@attrs.frozen(slots=True)
class LinePadding:
    """What part of a line's work was padding.

    ``used_ratio`` is the share of the work that was not, over the ops of known shapes, each by its time on the line;
    ``rows`` is what they pad, most time lost first. ``share_ratios`` are, for each of them, the share of its op of all
    op time, ``line_share_ratios`` what of that share is the line's, and ``lost_ratio`` is what the line lost of all op
    time, at most: of an op that memory limits as well, what filling the matrix unit would save. Where nothing ran, the
    bytes that an op moves stand for its time.
    """

    used_ratio: float
    predicted: bool
    rows: tuple[PaddingRow, ...]
    share_ratios: tuple[float, ...]
    line_share_ratios: tuple[float, ...]
    lost_ratio: float


class LineCosts:
    """The costs of every line of one run. ``lines``, ``ops`` and ``padding`` are records of the same profile.

    Reads are cheap: everything is added up once.
    """

    def __init__(self, lines: LinesRecord, ops: OpsRecord, padding: PaddingRecord) -> None:
        self.target = padding.target
        """The device whose tiles pad; None where the layouts in the profile say them."""
        self.is_padding_known = not any(
            each.severity == "empty" and each.code != "everything-fits" for each in padding.findings
        )
        """Whether what pads nothing is known to fit; else the profile, or a chosen target, has no tiles."""
        self.has_programs = any(row.shape for row in ops.rows)
        self.padding_rows = padding.rows
        self.rates_above_peak = next((each for each in ops.findings if each.code == "rates-above-peak"), None)
        """Why ops are faster than a peak, once for all of them; None where none is."""
        self.keys_above_peak = frozenset(self.rates_above_peak.evidence if self.rates_above_peak is not None else ())
        """The keys of those ops."""
        self._ops = {row.key: row for row in ops.rows}
        self._is_timed = lines.op_time_ps > 0
        self._whole = lines.op_time_ps if self._is_timed else sum(row.bytes or 0 for row in ops.rows)
        """Of which shares are: time or, where nothing ran, bytes."""
        self._tiles = common_tiles(padding.rows)
        self._padding: dict[str, list[PaddingRow]] = defaultdict(list)
        for row in padding.rows:
            self._padding[row.key].append(row)
        self._costs = tuple(self._cost(line) for line in lines.lines)
        self._paddings = tuple(self._line_padding(line) for line in lines.lines)
        self._lines = lines

    def of(self, row: int) -> LineCost:
        """The cost of the line at ``row`` of `LinesRecord.lines`."""
        return self._costs[row]

    def padding(self, row: int) -> LinePadding | None:
        """The padding of the line at ``row``; None where of no op it is known whether it pads."""
        return self._paddings[row]

    def op(self, op: LineOpRecord) -> OpRow | None:
        """The row of the op that a line is charged with, all its executions together; None where there is none."""
        return self._ops.get(op.key)

    def padding_of(self, op: LineOpRecord, line: LineRecord) -> tuple[PaddingRow, ...]:
        """What an op pads on a line: in the matrix unit where it uses that, else in memory."""
        here = [row for row in self._padding.get(op.key, ()) if row.line_key == line.key]
        in_unit = tuple(row for row in here if row.basis == "matrix-unit")
        return in_unit or tuple(here)

    def fitting_tile(self, dimension: DimensionPadding) -> int:
        """What a dimension's size should be a multiple of, to fit all products and arrays that have it if it can.

        Its own tile where the next size that fits them all is much greater than it is.
        """
        tile = self._tiles.get(dimension.size, dimension.tile)
        return tile if next_multiple(dimension.size, tile) <= dimension.size * _MOST_GROWTH else dimension.tile

    def inside(self, rows: frozenset[int]) -> LineCost:
        """The cost of all ops whose stack passes through any of ``rows``.

        The time of a stack is taken to have had its innermost line's rate, which is an estimate where several stacks
        lead there.
        """
        parts = []
        for stack in self._lines.stacks:
            if not stack.lines or not stack.self_ps or rows.isdisjoint(stack.lines):
                continue
            line, cost = self._lines.lines[stack.lines[0]], self._costs[stack.lines[0]]
            part = stack.self_ps / line.self_ps if line.self_ps else 0.0
            scaled: dict[str, Any] = {
                name: None if value is None else value * part
                for name in ("wall_ps", "flops", "flops_per_step", "unknown_ps", "flops_without_peak")
                for value in (getattr(cost, name),)
            }
            parts.append(attrs.evolve(cost, **scaled, is_estimated=cost.is_estimated or stack.self_ps < line.self_ps))
        return _sum(parts)

    def _cost(self, line: LineRecord) -> LineCost:
        return _sum(self._op_cost(op) for op in line.ops)

    def _op_cost(self, op: LineOpRecord) -> LineCost:
        row = self.op(op)
        if row is None or not row.self_ps:
            return LineCost(op.self_ps, None, None, op.self_ps, None, 0.0, is_estimated=op.shared)
        part = op.self_ps / row.self_ps
        wall_ps = row.wall_ps * part
        if row.flops is None:
            return LineCost(wall_ps, None, None, wall_ps, None, 0.0, is_estimated=op.shared)
        per_step = None
        if row.executions_per_step is not None and row.executions:
            per_step = row.flops / row.executions * row.executions_per_step * part
        return LineCost(
            wall_ps=wall_ps,
            flops=row.flops * part,
            flops_per_step=per_step,
            unknown_ps=0,
            # An op that computes nothing uses nothing, of whatever peak.
            flop_utilisation_ratio=row.flop_utilisation_ratio if row.flops else None,
            flops_without_peak=row.flops * part if row.flop_utilisation_ratio is None else 0.0,
            is_estimated=op.shared,
        )

    def _line_padding(self, line: LineRecord) -> LinePadding | None:
        whole = 0
        whole_padded = whole_lost = 0.0
        lost: dict[PaddingRow, float] = {}
        shares: dict[PaddingRow, float] = {}
        of_line: dict[PaddingRow, float] = {}
        for op in line.ops:
            rows = self.padding_of(op, line)
            work = self._work(op)
            # Of an op with shapes that pads nothing it is known that all of it fits.
            if rows or (op.shape and self.is_padding_known):
                whole += work
                whole_padded += _lost(work, rows)
                whole_lost += _lost(work, rows, self.op(op) if self._is_timed else None)
            for row in rows:
                lost[row] = _part(work, row) * (1 - row.used_ratio)
                shares[row] = (row.share_ratio or 0) if self._is_timed else work / max(1, self._whole)
                of_line[row] = min(shares[row], work / max(1, self._whole))
        if not whole:
            return None
        worst_first = tuple(sorted(lost, key=lambda row: -lost[row]))
        return LinePadding(
            used_ratio=1 - whole_padded / whole,
            predicted=self.target is not None,
            rows=worst_first,
            share_ratios=tuple(shares[row] for row in worst_first),
            line_share_ratios=tuple(of_line[row] for row in worst_first),
            lost_ratio=whole_lost / max(1, self._whole),
        )

    def _work(self, op: LineOpRecord) -> int:
        """An op's time on its line; where nothing ran, the line's part of the bytes that it moves."""
        if self._is_timed:
            return op.self_ps
        row = self.op(op)
        return (row.bytes or 0) // (1 + len(op.shared_with)) if row is not None else 0


def wasteful(
    padding: LinePadding | None,
    least_waste_ratio: float,
    least_share_ratio: float,
    edited: Collection[int] = (),
) -> tuple[PaddingRow, ...]:
    """What of a line's padding is worth a word, most time lost first.

    It wastes at least ``least_waste_ratio`` of the work of ops with at least ``least_share_ratio`` of the op time,
    whatever became of the sizes that were ``edited`` since: of one such op, or of several that have it together.
    """
    if padding is None:
        return ()
    shares = zip(padding.rows, padding.share_ratios, padding.line_share_ratios, strict=True)
    rows = [(fitting(row, edited), share, of_line) for row, share, of_line in shares]
    if edited:
        rows.sort(key=lambda each: -each[1] * (1 - each[0].used_ratio))
    wasting = [each for each in rows if 1 - each[0].used_ratio >= least_waste_ratio]
    # Of one op alone its whole share counts, though others may share the op; of several what is the line's.
    # An op may have several rows, of which each would count its share again.
    of_ops: dict[str, float] = {}
    for row, _, of_line in wasting:
        of_ops[row.key] = max(of_line, of_ops.get(row.key, 0.0))
    if math.fsum(of_ops.values()) >= least_share_ratio:
        return tuple(row for row, _, _ in wasting)
    return tuple(row for row, share, _ in wasting if share >= least_share_ratio)


def _lost(work: int, rows: Sequence[PaddingRow], limits: OpRow | None = None) -> float:
    """What of an op's work on a line went into padding.

    That of its own products or arrays, each by its padded size; or, where that is more, of those inside the fusion.
    With ``limits``, the op, no more than it could be faster by without.
    """
    own = [row for row in rows if row.inner is None]
    padded = [math.prod(dimension.padded for dimension in row.dims) for row in own]
    wasted = sum(_lost_ratio(row, limits) * size for row, size in zip(own, padded, strict=True))
    outer = work * wasted / sum(padded) if sum(padded) else 0.0
    inner = sum(_part(work, row) * _lost_ratio(row, limits) for row in rows if row.inner is not None)
    spare = 1.0 if limits is None else 1 - _least_ratio(limits)
    return max(outer, min(inner, work * spare))


def _lost_ratio(row: PaddingRow, op: OpRow | None) -> float:
    """What of the time of an op is lost to a row, by the roofline.

    The padding of an array that lies in memory is moved as well as computed with. That of a product is computed alone:
    it costs nothing beyond what the bytes of the op, which are counted without padding, take at the peak.
    """
    if op is None or row.basis == "layout":
        return 1 - row.used_ratio
    moving = _least_ratio(op)
    computing = op.flop_utilisation_ratio
    without = max(row.used_ratio, moving)
    if computing:
        # Padded, it computes for computing / used_ratio of the time that the peak allows.
        without = max(without, moving * row.used_ratio / computing)
    return max(0.0, 1 - without)


def _least_ratio(op: OpRow) -> float:
    """What of its time an op takes at least, for what it moves; nothing where it was faster than memory."""
    ratio = op.bandwidth_utilisation_ratio or 0.0
    return min(1.0, ratio) if ratio <= 1 + LEAST_EXCESS_RATIO else 0.0


def _part(work: int, row: PaddingRow) -> int:
    """What of the work of its op on a line is a row's: what is inside a fusion has a time of its own."""
    return work if row.inner is None or row.self_ps is None else min(row.self_ps, work)


def _sum(costs: Iterable[LineCost]) -> LineCost:
    wall_ps = unknown_ps = without_peak = 0.0
    flops: float | None = None
    per_step: float | None = None
    used_ps: float | None = None
    is_estimated = False
    for cost in costs:
        wall_ps += cost.wall_ps
        unknown_ps += cost.unknown_ps
        is_estimated = is_estimated or cost.is_estimated
        without_peak += cost.flops_without_peak
        flops, per_step = added(flops, cost.flops), added(per_step, cost.flops_per_step)
        if cost.flop_utilisation_ratio is not None:
            used_ps = added(used_ps, cost.flop_utilisation_ratio * cost.wall_ps)
    ratio = used_ps / wall_ps if used_ps is not None and wall_ps else None
    return LineCost(wall_ps, flops, per_step, unknown_ps, ratio, without_peak, is_estimated)
