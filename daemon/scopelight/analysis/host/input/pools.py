"""Pools of threads and processes in which the script has its data made: which they are, and whether it asks them."""

from collections.abc import Collection, Iterable
from typing import Final

from scopelight.analysis.host.input.calls import calls_of
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.feeding import is_of
from scopelight.formats.host_recording.reader import RecordedOperation
from scopelight.model.host.record import HostRecord
from scopelight.model.host.thread_ids import line_id_of
from scopelight.program.hlo.frames import Stack

_ASKING: Final = (
    ("concurrent/futures/_base.py", ("result", "result_iterator", "as_completed", "wait")),
    ("multiprocessing/pool.py", ("get", "next", "wait")),
)
_INSIDE: Final = ("concurrent/futures/", "multiprocessing/pool.py", "/threading.py")
"""In the paths of files of Python's own that such a wait leads through: another library's may be for itself."""
_RESULT: Final = "result"
_AWAITED: Final = ("to_thread", "run_in_executor")
"""What of an event loop's has work done by a pool."""
POOLS: Final = ("threads", "processes")
"""Kinds of operations that are pools, and no library's."""
TASKS: Final = "tasks"
"""That of the tasks of an event loop."""


def members_of(operation: RecordedOperation) -> frozenset[int]:
    """The threads of a pool or another operation of its own, as their lines in the trace go."""
    return frozenset(map(line_id_of, operation.members))


def asks_pools(record: HostRecord, launching: Collection[int], centre: Centre) -> bool:
    """Whether a thread that launches the steps was seen to wait for a result, or has lines that ask for one; or tasks
    that make data have their work done by a pool."""
    return any(each.is_pooled and (each.fills or each.is_awaited) for each in record.operations) or any(
        calls_of(record, line_id, _RESULT, centre)
        or any(_asks(stack, centre) for stack in record.sampled_stacks(line_id))
        for line_id in launching
    )


def awaiting_lines(stacks: Iterable[Stack], centre: Centre) -> frozenset[LineKey]:
    """Of the innermost lines of the user's those that have work done by a pool of an event loop's."""
    lines = {(user[0].path, user[0].line) for user in map(centre.frames.of, stacks) if user}
    return frozenset(each for each in lines if any(f"{name}(" in (centre.text(*each) or "") for name in _AWAITED))


def _asks(stack: Stack, centre: Centre) -> bool:
    user = centre.frames.of(stack)
    if not user:
        return False
    inner = stack[: next(row for row, each in enumerate(stack) if each == user[0])]
    return any(is_of(each, _ASKING) for each in inner) and all(
        any(part in each.path.replace("\\", "/") for part in _INSIDE) for each in inner
    )
