"""What to do about an input that tasks of an event loop make, or that is awaited in the loop of the steps."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.input.records import InputRecord
from scopelight.analysis.host.input.suspected import Suspected
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.records import FramePlace
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.instruction_totals import step_of
from scopelight.findings import Finding, advice, note
from scopelight.program.hlo.frames import Frame

_MOSTLY: Final = 0.5
"""Of the time that devices wait for input, in which tasks compute on the thread of the steps."""
_LEAST_BLOCKED: Final = 0.05
"""Of a step, for which its loop blocks, to be told."""
_AWAITED: Final = ("tasks", "coroutine")
"""Kinds of operations that are of the event loop in which the steps are launched."""


def is_awaited(operation: InputOperation, operations: Sequence[InputOperation]) -> bool:
    """Whether it is of the event loop in which the steps are launched, or awaits a task of that."""
    return operation.kind in _AWAITED or _task_of(operation, operations) is not None


def _task_of(operation: InputOperation, operations: Sequence[InputOperation]) -> InputOperation | None:
    """The task of an operation that is one or awaits one."""
    return next(
        (
            each
            for each in (operation, *operations)
            if _is_task(each) and each.key in (operation.key, *operation.inputs)
        ),
        None,
    )


def _is_task(operation: InputOperation) -> bool:
    return operation.kind == "tasks"


@attrs.frozen
class Blocked:
    """For how long per steady step the loop of the steps blocks for results, and on which line mostly."""

    per_step_ps: int
    at: FramePlace


def blocked_at(steady: SteadySteps, centre: Centre) -> Blocked | None:
    """None where it does not, or it is not known where."""
    by_line: Counter[Frame] = Counter()
    for waits in steady.pieces.waits:
        step = step_of(waits.start_ps, centre.steps)
        inside = (step >= 0) & steady.is_steady[step]
        for row in inside.nonzero()[0].tolist():
            user = centre.frames.of(waits.stack[row])
            if user:
                by_line[user[0]] += int(waits.end_ps[row] - waits.start_ps[row])
    if not by_line:
        return None
    longest = max(by_line, key=lambda frame: (by_line[frame], frame.path, -frame.line))
    return Blocked(sum(by_line.values()) // max(1, int(steady.is_steady.sum())), centre.frames.place(longest))


def advice_of_tasks(
    record: InputRecord, suspected: Suspected, evidence: tuple[str, ...], blocked: Blocked | None
) -> Iterator[Finding]:
    """Of operations of the event loop."""
    worker, operation = suspected.worker, suspected.operation
    task = _task_of(operation, record.operations)
    if worker.kind == "coroutine":
        yield attrs.evolve(advice("input-awaited", name=operation.name), evidence=evidence)
    elif worker.kind != "tasks" and task is not None:
        # A line of the loop itself.
        yield attrs.evolve(advice("input-task-awaited", name=task.name), evidence=evidence)
    elif operation.key != worker.key:
        told = {"name": worker.name, "pool": operation.name, "busy_ratio": operation.busy_ratio}
        yield attrs.evolve(advice("input-tasks-pool", **told), evidence=evidence)
    elif worker.queue is None:
        yield attrs.evolve(advice("input-task-awaited", name=worker.name), evidence=evidence)
    elif _computes(worker, record):
        yield attrs.evolve(
            advice("input-tasks-busy", name=worker.name, busy_ratio=worker.busy_ratio), evidence=evidence
        )
    else:
        yield attrs.evolve(advice("input-tasks-wait", name=worker.name, tasks=worker.workers), evidence=evidence)
    step_ps = next((each.mean_ps for each in record.spreads if each.quantity == "step"), 0)
    if blocked is not None and blocked.per_step_ps >= max(1, _LEAST_BLOCKED * step_ps):
        yield note("input-tasks-blocked", per_step_ps=blocked.per_step_ps, file=blocked.at.path, line=blocked.at.line)


def _computes(worker: InputOperation, record: InputRecord) -> bool:
    return (worker.busy_ratio or 0.0) >= _MOSTLY * (record.input_ratio or 0.0)
