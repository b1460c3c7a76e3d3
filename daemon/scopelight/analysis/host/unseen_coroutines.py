"""How much of the time of threads that launch steps samples found in an event loop, without a coroutine of the user's.

Where a coroutine gave way is told by asyncio of Python's own, of the tasks in which steps are launched; other event
loops and other tasks are not seen.
"""

from typing import Final

from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.feeding import is_of
from scopelight.analysis.totals.waiting.launching import launching_threads
from scopelight.findings import Finding, note
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Stack

_LOOPS: Final = (
    ("asyncio/base_events.py", ("_run_once", "run_forever", "run_until_complete")),
    ("asyncio/runners.py", ("run",)),
    ("/uvloop/__init__.py", ("run",)),
)
_LEAST: Final = 0.05
"""Of a thread's samples, to be told."""


def unseen_coroutines(profile: Profile, centre: Centre) -> Finding | None:
    """A note of the most that a thread has of them; None where that is little, or events tell of every line."""
    records = profile.host_records()
    most = 0.0
    for host, threads in launching_threads(profile).items():
        record = records.get(host)
        if record is None or all(each.has_lines for each in record.recordings):
            continue
        for thread in threads:
            stacks = list(record.sampled_stacks(thread.line_id))
            unseen = sum(_is_unseen(each, centre) for each in stacks)
            most = max(most, unseen / max(1, len(stacks)))
    return note("host-coroutines-unseen", samples_ratio=most) if most >= _LEAST else None


def _is_unseen(stack: Stack, centre: Centre) -> bool:
    user = centre.frames.of(stack)
    inner = stack[: next(row for row, each in enumerate(stack) if each == user[0])] if user else stack
    return any(is_of(each, _LOOPS) for each in inner)
