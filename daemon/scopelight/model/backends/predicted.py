"""Predictions: executions of programs that were compiled for a TPU and have not run, as long as its compiler expects.

Runs of programs follow each other without a pause, in the order in which the script called them; the ops of a run
follow each other as the compiler scheduled them. All passes of a loop lie together: one execution stands for them
(`Op.repetitions`). Nothing overlaps, for nobody knows what would.
"""

from collections.abc import Callable, Mapping, Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.model.executions import Device, Executions, Op, Program, ProgramRuns
from scopelight.program.hlo.calls import RUNNING_OTHERS, callers_first, runs_of_computations
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import HloModule, Instruction

FREE = frozenset(
    (
        *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "add-dependency"),
        *("opt-barrier", "partition-id", "replica-id"),
    )
)
"""Opcodes that nothing is run for."""
_LONGEST_PS = 2**62

Estimate = Callable[[HloModule, Instruction], int | None]
"""How long one execution of an instruction takes, in ps; None where nobody says."""


@attrs.frozen(eq=False, repr=False)
class _Laid:
    """One run of a program: rows by op, in the order of their starts, which count from that of the run."""

    ops: Sequence[Op]
    start_ps: Int64
    duration_ps: Int64
    self_ps: Int64
    total_ps: int


def predicted_executions(
    modules: Sequence[HloModule], calls: Sequence[int], device: Device, estimate: Estimate
) -> tuple[Executions, ProgramRuns]:
    """The executions of ``modules``, rows of which ``calls`` names in the order of the script, on one device."""
    laid = [_lay(module, row, estimate) for row, module in enumerate(modules)]
    first_op = np.cumsum([0, *(len(each.ops) for each in laid)])
    durations_ps = np.array([laid[each].total_ps for each in calls], dtype=np.int64)
    begin_ps = np.concatenate([np.zeros(1, np.int64), np.cumsum(durations_ps)])[:-1]

    def column(of: Callable[[_Laid, int, int], Int64]) -> Int64:
        parts = [of(laid[module], module, run) for run, module in enumerate(calls)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    count = sum(len(laid[each].ops) for each in calls)
    executions = Executions(
        op=column(lambda each, module, _: first_op[module] + np.arange(len(each.ops))).astype(np.int32),
        device=np.zeros(count, dtype=np.int32),
        run=column(lambda each, _, run: np.full(len(each.ops), run, np.int64)).astype(np.int32),
        lane=np.zeros(count, dtype=np.int32),
        start_ps=column(lambda each, _, run: each.start_ps + begin_ps[run]),
        duration_ps=column(lambda each, *_: each.duration_ps),
        self_ps=column(lambda each, *_: each.self_ps),
        ops=tuple(op for each in laid for op in each.ops),
        devices=(device,),
        programs=tuple(Program(module.program_id, module.name) for module in modules),
        lanes=("XLA Ops",),
    )
    number = len(calls)
    runs = ProgramRuns(
        program=np.array(calls, dtype=np.int32),
        device=np.zeros(number, dtype=np.int32),
        run_id=np.arange(1, number + 1, dtype=np.uint64),
        start_ps=begin_ps,
        duration_ps=durations_ps,
        launch_ps=np.full(number, -1, dtype=np.int64),
    )
    return executions, runs


def _lay(module: HloModule, program: int, estimate: Estimate) -> _Laid:
    """Lay the ops of a run side by side: each computation once, where it is called first, for all of its runs."""
    order = callers_first(module)
    once_ps = _once_ps(module, order, estimate)
    counts = runs_of_computations(module, lambda each: _longest(each, once_ps)).runs
    begin_ps: dict[int, int] = {module.entry: 0}
    rows: list[tuple[int, int, int, Op]] = []
    for computation in order:
        at_ps, runs = begin_ps.get(computation, 0), counts[computation]
        for row in module.computations[computation].instructions if runs else ():
            each = module.instructions[row]
            if each.opcode in FREE:
                continue
            once_ps_of_own = estimate(module, each)
            own_ps = duration_ps = (once_ps_of_own or 0) * runs
            if each.opcode in RUNNING_OTHERS:
                own_ps, duration_ps = 0, 0
                for called in dict.fromkeys(each.called):
                    if called not in begin_ps and counts.get(called):
                        begin_ps[called] = at_ps + duration_ps
                        duration_ps += once_ps[called] * counts[called]
            is_known = once_ps_of_own is not None or each.opcode in RUNNING_OTHERS
            op = Op(
                each.name, category_of(module, each), program, module, each, repetitions=runs, has_estimate=is_known
            )
            rows.append((at_ps, duration_ps, own_ps, op))
            at_ps += duration_ps
    rows.sort(key=lambda each: (each[0], -each[1]))
    start_ps, durations_ps, self_ps = (np.array([each[place] for each in rows], dtype=np.int64) for place in range(3))
    total_ps = once_ps[module.entry]
    # What takes no time after all else is of this run, not of the next one.
    start_ps = np.minimum(start_ps, max(0, total_ps - 1))
    return _Laid([each[3] for each in rows], start_ps, durations_ps, self_ps, total_ps)


def _once_ps(module: HloModule, order: Sequence[int], estimate: Estimate) -> Mapping[int, int]:
    """By computation how long one run of it takes, with all that it calls."""
    place = {computation: row for row, computation in enumerate(order)}
    once_ps: dict[int, int] = {}
    for computation in reversed(order):
        total_ps = 0
        for row in module.computations[computation].instructions:
            each = module.instructions[row]
            if each.opcode not in RUNNING_OTHERS:
                total_ps += estimate(module, each) or 0 if each.opcode not in FREE else 0
                continue
            # Only a hostile file has a computation that calls one before it.
            called = [one for one in each.called if place[one] > place[computation]]
            if each.opcode == "conditional":
                total_ps += max((once_ps[one] for one in called), default=0)
            elif each.opcode == "while":
                is_counted = each.trip_count is not None
                trips = each.trip_count if each.trip_count is not None else 1
                total_ps += sum(once_ps[one] * (trips + (is_counted and one == each.called[1])) for one in called)
            else:
                total_ps += sum(once_ps[one] for one in called)
        once_ps[computation] = min(total_ps, _LONGEST_PS)
    return once_ps


def _longest(branch: Instruction, once_ps: Mapping[int, int]) -> int:
    return max(branch.called, key=lambda each: once_ps.get(each, 0))
