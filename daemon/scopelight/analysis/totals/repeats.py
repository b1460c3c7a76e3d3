"""Repeated frames: what a stack has twice in a row that a program did once.

The compiler puts the stack of a body (of a scan, of what is checkpointed) below that of its call, and jax traced the
body with the frames of the call around it: without the frames of libraries between them they follow each other again.
"""

from collections.abc import Sequence

from scopelight.program.hlo.frames import Frame, Stack


def without_repeats(frames: Sequence[Frame]) -> Stack:
    """``frames`` with each sequence of them that follows itself once: a b c b c d is a b c d."""
    kept: list[Frame] = []
    last: dict[Frame, int] = {}
    for frame in frames:
        length = len(kept) - last.get(frame, len(kept))
        kept.append(frame)
        if length and kept[-length:] == kept[-2 * length : -length]:
            del kept[-length:]
            last.update((kept[place], place) for place in range(len(kept) - length, len(kept)))
        else:
            last[frame] = len(kept) - 1
    return tuple(kept)
