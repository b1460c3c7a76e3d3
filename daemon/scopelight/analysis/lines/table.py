"""The records of lines, stacks and functions, made of what was charged."""

from collections import Counter
from collections.abc import Iterable

import attrs

from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.lines.exposing import exposures
from scopelight.analysis.lines.functions import function_records
from scopelight.analysis.lines.over_hosts import OverHosts
from scopelight.analysis.lines.spread import SpreadOfLine, spreads_of
from scopelight.analysis.records import (
    PHASE_NAMES,
    FunctionRecord,
    LineOpRecord,
    LineRecord,
    MeanwhileRecord,
    PlaceRecord,
    StackRecord,
    phase_fields,
)
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import ChargedLine, ChargedOp, LineKey, OpPart
from scopelight.analysis.totals.scoped import Scoped
from scopelight.analysis.totals.waiting.charging import WaitingLine, longest_first
from scopelight.analysis.totals.waiting.meanwhile import meanwhile
from scopelight.program.hlo.frames import Stack

MOST_MEANWHILE = 4
LEAST_MEANWHILE_RATIO = 0.02
"""Where other threads stood for less of the time that devices waited for a line is not named."""
MOST_UNATTRIBUTED_OPS = 20
"""Ops without a line that the record names; their time is counted whether they are named or not."""


@attrs.frozen(eq=False, repr=False)
class LineTable:
    """Records that refer to each other: rows of ``stacks`` are those of ``lines``."""

    lines: tuple[LineRecord, ...] = ()
    functions: tuple[FunctionRecord, ...] = ()
    stacks: tuple[StackRecord, ...] = ()
    unattributed_ops: tuple[LineOpRecord, ...] = ()


def line_table(centre: Centre, scoped: Scoped) -> LineTable:
    """Make the records, those with most of the wall clock first."""
    return _Maker(centre, scoped).table()


class _Maker:
    def __init__(self, centre: Centre, scoped: Scoped) -> None:
        self._scoped = scoped
        self._charges = scoped.charges
        self._frames = centre.frames
        self._meanwhile = meanwhile(scoped.waiting, scoped.waiting.pieces.others, centre.frames)
        self._centre = centre
        self._over_hosts = OverHosts(centre, scoped)

    def table(self) -> LineTable:
        waiting = self._scoped.waiting.lines
        lines = {key: ChargedLine(line.frame) for key, line in waiting.items()}
        # Where ops ran on a line too it goes by the function of the longest of them.
        lines.update(self._charges.lines)
        inclusive = self._inclusive(lines)
        spreads = spreads_of(self._scoped, lines)
        made = [
            (key, self._line(line, waiting.get(key, WaitingLine(line.frame)), *inclusive[key], spread))
            for (key, line), spread in zip(lines.items(), spreads, strict=True)
        ]
        made.sort(key=lambda each: _most_wall_first(each[1]))
        rows = {key: row for row, (key, _) in enumerate(made)}
        unattributed = [self._op(op, op.lost_ps, None) for op in self._charges.unattributed]
        unattributed.sort(key=_longest_first)
        return LineTable(
            lines=tuple(record for _, record in made),
            functions=function_records(self._scoped, self._centre),
            stacks=self._stacks(rows),
            unattributed_ops=tuple(unattributed[:MOST_UNATTRIBUTED_OPS]),
        )

    def _inclusive(self, lines: Iterable[LineKey]) -> dict[LineKey, tuple[int, int]]:
        """By line the self time of the stacks that hold it, and their part of the wall clock."""
        sums = dict.fromkeys(lines, (0, 0))
        for stack in self._charges.stacks.values():
            for frame in stack.user:
                self_ps, wall_ps = sums[frame.path, frame.line]
                sums[frame.path, frame.line] = (self_ps + stack.self_ps, wall_ps + stack.wall_ps)
        return sums

    def _stacks(self, rows: dict[LineKey, int]) -> tuple[StackRecord, ...]:
        sums: dict[tuple[int, ...], tuple[int, int, int]] = {}

        def add(user: Stack, self_ps: int, wall_ps: int, waiting_ps: int) -> None:
            lines = tuple(rows[frame.path, frame.line] for frame in user)
            before = sums.get(lines, (0, 0, 0))
            sums[lines] = (before[0] + self_ps, before[1] + wall_ps, before[2] + waiting_ps)

        for stack in self._charges.stacks.values():
            add(stack.user, stack.self_ps, stack.wall_ps, 0)
        for user, waiting_ps in self._scoped.waiting.stacks.items():
            add(user, 0, 0, waiting_ps)
        ordered = sorted(sums.items(), key=lambda each: (-each[1][0], -each[1][2], each[0]))
        return tuple(StackRecord(lines, *of) for lines, of in ordered if of[0] or of[2])

    def _line(
        self,
        line: ChargedLine,
        waiting: WaitingLine,
        inclusive_ps: int,
        inclusive_wall_ps: int,
        spread: SpreadOfLine,
    ) -> LineRecord:
        scoped = self._scoped
        whole_ps = line.wall_ps + waiting.waiting_ps
        inclusive_whole_ps = inclusive_wall_ps + waiting.inclusive_ps
        ops = [self._op(op, part.self_ps, part) for op, part in line.parts]
        met = self._over_hosts.meetings(line)
        return LineRecord(
            key=self._centre.line_key(line.frame),
            **self._frames.place_fields(line.frame),
            function=line.frame.function,
            self_ps=line.self_ps,
            inclusive_ps=inclusive_ps,
            wall_ps=line.wall_ps,
            inclusive_wall_ps=inclusive_wall_ps,
            waiting_ps=waiting.waiting_ps,
            waiting_inclusive_ps=waiting.inclusive_ps,
            waiting_classes=longest_first(waiting.classes_ps),
            basis=waiting.basis,
            share_ratio=scoped.share_ratio(whole_ps),
            inclusive_share_ratio=scoped.share_ratio(inclusive_whole_ps),
            waiting_share_ratio=scoped.share_ratio(waiting.waiting_ps),
            **phase_fields(line.phases),
            per_step_ps=scoped.per_step_ps(whole_ps),
            inclusive_per_step_ps=scoped.per_step_ps(inclusive_whole_ps),
            waiting_per_step_ps=scoped.per_step_ps(waiting.waiting_ps),
            per_step_spread_ps=spread.sigma_ps,
            few_steps=spread.few_steps,
            few_steps_each_ps=spread.few_steps_each_ps,
            collective_wait_ps=met.wait_ps,
            collective_move_ps=met.move_ps,
            collective_wait_per_step_ps=None if met.wait_ps is None else scoped.per_step_ps(met.wait_ps),
            collective_move_per_step_ps=None if met.move_ps is None else scoped.per_step_ps(met.move_ps),
            host_spread=self._over_hosts.spread(line),
            op_time_per_step_ps=scoped.per_step_ps(line.self_ps),
            cpu_ps=None if scoped.cpu is None else line.cpu_ps,
            cpu_per_step_ps=None if scoped.cpu is None else scoped.per_step_ps(line.cpu_ps),
            executions=line.executions,
            executions_per_step=line.executions / scoped.step_count if scoped.step_count else None,
            ops=tuple(sorted(ops, key=_longest_first)),
            exposed_by=exposures(waiting, scoped.waiting, self._frames),
            meanwhile=self._meanwhile_records(waiting),
        )

    def _meanwhile_records(self, line: WaitingLine) -> tuple[MeanwhileRecord, ...]:
        found = self._meanwhile.get((line.frame.path, line.frame.line), Counter())
        threads = self._scoped.waiting.pieces.others
        return tuple(
            MeanwhileRecord(
                threads[row].name,
                **self._frames.place_fields(frame),
                function=frame.function,
                share_ratio=time_ps / max(1, line.waiting_ps),
            )
            for (row, frame), time_ps in found.most_common(MOST_MEANWHILE)
            if time_ps >= LEAST_MEANWHILE_RATIO * line.waiting_ps
        )

    def _op(self, op: ChargedOp, self_ps: int, part: OpPart | None) -> LineOpRecord:
        return LineOpRecord(
            key=self._centre.op_keys[op.row],
            **op.names.fields,
            self_ps=self_ps,
            shared=op.shared,
            executions=op.executions,
            inherited=part is not None and part.inherited,
            shared_with=tuple(
                PlaceRecord(self._frames.file(other.frame.path).path, other.frame.line)
                for other in op.parts
                if other is not part
            ),
            phase=PHASE_NAMES[op.phase],
            has_estimate=self._centre.executions.ops[op.row].has_estimate,
            stall=STALLS[stall] if (stall := int(self._centre.division.stall_of_op[op.row])) >= 0 else None,
        )


def _most_wall_first(line: LineRecord) -> tuple[int, int, int, str, int]:
    whole_ps, inclusive_ps = line.wall_ps + line.waiting_ps, line.inclusive_ps + line.waiting_inclusive_ps
    return -whole_ps, -line.self_ps, -inclusive_ps, line.path or "", line.line


def _longest_first(op: LineOpRecord) -> tuple[int, str]:
    return -op.self_ps, op.name
