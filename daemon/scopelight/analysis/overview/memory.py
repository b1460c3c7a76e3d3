"""Small curves of the memories of a run."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from scopelight.analysis.memory.profile.records import MemoryRecord
from scopelight.analysis.memory.profile.view import memory_profile
from scopelight.analysis.options import NoOptions
from scopelight.analysis.overview.records import MemoryCurve
from scopelight.analysis.subject import Subject
from scopelight.formats.columns import Int64
from scopelight.formats.errors import FormatError

_MOST_POINTS: Final = 120


def memory_curves(subject: Subject) -> tuple[MemoryCurve, ...]:
    """Of each memory the greatest of every part of its samples; none where a file of them cannot be read any more."""
    try:
        record = memory_profile(subject, NoOptions())
    except FormatError:
        return ()
    return tuple(_curve(each) for each in record.memories if each.samples)


def _curve(memory: MemoryRecord) -> MemoryCurve:
    samples = memory.samples
    used = np.array([each.heap_bytes + (each.stack_bytes or 0) for each in samples], dtype=np.int64)
    bounds = np.unique(np.linspace(0, len(samples), min(_MOST_POINTS, len(samples)) + 1).astype(np.int64))
    rows = _greatest(used, bounds.tolist())
    return MemoryCurve(
        name=memory.name,
        times_ps=tuple(samples[row].time_ps for row in rows),
        used_bytes=tuple(int(used[row]) for row in rows),
        peak_bytes=memory.peak_bytes,
        capacity_bytes=memory.capacity_bytes,
    )


def _greatest(used: Int64, bounds: Sequence[int]) -> list[int]:
    return [first + int(np.argmax(used[first:beyond])) for first, beyond in pairwise(bounds)]
