"""What devices waited for, of those that waited for input: the queue, other threads, transfers, or the loop itself."""

from collections import Counter
from collections.abc import Collection
from typing import Final, Literal

import attrs
import numpy as np

from scopelight.analysis.host.input.graph_records import InputQueue
from scopelight.analysis.host.input.verdict import SteadySteps
from scopelight.analysis.records import FramePlace
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.charging import LineKey
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import NONE
from scopelight.program.hlo.frames import Frame, Stack

WaitPlace = Literal["empty", "gets", "elsewhere", "loop", "transfer"]
"""The line that takes from the nearest queue, in steps that found it empty, and in others; one that waits for others
but takes from none or another; one on which the thread that launches the steps works itself; and transfers, wherever
it stood."""
_TRANSFER: Final = CLASSES.index("transfer")


@attrs.frozen
class LongestWait:
    """What devices waited for longest of all, for how long, and on which line most of that."""

    place: WaitPlace
    waiting_ps: int
    at: FramePlace | None


def longest_wait(
    steady: SteadySteps,
    centre: Centre,
    taken_at: Frame | None,
    waits: Collection[LineKey],
    nearest: InputQueue | None,
) -> LongestWait | None:
    """Of the steady steps; None where they never wait. ``waits`` are the lines that wait for others, ``nearest``
    is the queue that the steps take from.

    Where it is not known where the host stood, a library's mark says that it asked for data. A queue of which it is not
    known what it held is taken for empty, as one is that is waited for.
    """
    pieces, rows = steady.pieces, steady.input_rows
    by_place: Counter[WaitPlace] = Counter()
    by_line: dict[WaitPlace, Counter[Frame]] = {}
    held = np.zeros(len(steady.is_steady), dtype=np.bool_)
    step_held = nearest.step_held if nearest is not None else ()
    is_awaited = nearest is not None and nearest.kind == "asyncio"
    held[: len(step_held)] = [(each or 0) > 0 for each in step_held]
    keys = np.stack([pieces.stack[rows], pieces.kind[rows] == _TRANSFER, held[pieces.step[rows]]]).astype(np.int64)
    distinct, which = np.unique(keys, axis=1, return_inverse=True)
    sums_ps = np.zeros(distinct.shape[1], dtype=np.int64)
    np.add.at(sums_ps, which.ravel(), pieces.duration_ps[rows])
    for (stack, is_transfer, is_held), time_ps in zip(distinct.T.tolist(), sums_ps.tolist(), strict=True):
        user = centre.frames.of(pieces.stacks[stack]) if stack != NONE else ()
        place: WaitPlace = "transfer" if is_transfer else _place(user if is_awaited else user[:1], taken_at, waits)
        if place == "gets" and not is_held:
            place = "empty"
        by_place[place] += time_ps
        if user:
            by_line.setdefault(place, Counter())[user[0]] += time_ps
    if not by_place:
        return None
    longest = max(by_place, key=lambda each: by_place[each])
    lines = by_line.get(longest, Counter[Frame]())
    line = max(lines, key=lambda frame: (lines[frame], frame.path, -frame.line), default=None)
    return LongestWait(longest, by_place[longest], None if line is None else centre.frames.place(line))


def _place(user: Stack, taken_at: Frame | None, waits: Collection[LineKey]) -> WaitPlace:
    taking = None if taken_at is None else (taken_at.path, taken_at.line)
    # What an event loop runs while its coroutine takes from the queue stands as if that had called it.
    if not user or any((each.path, each.line) == taking for each in user):
        return "gets"
    return "elsewhere" if (user[0].path, user[0].line) in waits else "loop"
