"""Pieces of idle time made by hand, and what they are charged to."""

import numpy as np

from made.host.idle import LIBRARY, at, frame, user_frames
from scopelight.analysis.totals.shares import Share
from scopelight.analysis.totals.waiting.charging import charge_waiting
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import NONE, Pieces

STACKS = (
    at(10),
    at(10, 20),
    # A function that calls itself, and a library that calls one back.
    (frame(30, "f"), frame(31, "f"), frame(30, "f"), frame(20)),
    (frame(171, "get", LIBRARY), frame(40)),
    (frame(171, "get", LIBRARY),),
)
PARTS = {
    0: (Share(at(50), 0, 1), Share(at(51, 50), 0, 2)),
    1: (Share((), 0, 1), Share(at(52), 0, 1)),
    2: (Share((), 0, 1),),
}


def pieces(*rows):
    """Pieces from (device, step, duration, class, stack, op, opened, is_exact), one after the other."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 8).T
    device, step, duration, kind, stack, op, opened = (each.astype(np.int32) for each in columns[:7])
    duration = columns[2]
    return Pieces(
        device, step, np.cumsum(duration) - duration, duration, kind, stack, op, opened,
        columns[7].astype(np.bool_), np.zeros(len(duration), dtype=np.bool_), STACKS,
    )  # fmt: skip


def piece(duration, kind="python", stack=NONE, *, device=0, step=0, op=NONE, opened=NONE, is_exact=True):
    return device, step, duration, CLASSES.index(kind), stack, op, opened, is_exact


def charged(*rows):
    made = pieces(*rows)
    return charge_waiting(made, np.arange(len(rows)), user_frames(), PARTS)
