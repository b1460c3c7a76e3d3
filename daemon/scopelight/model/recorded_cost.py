"""Costs of ops as recorded in the profile, before any estimate."""

from collections.abc import Mapping

import attrs
import numpy as np

from scopelight.formats.errors import FormatError
from scopelight.formats.wire import SPAN, VARINT, read_message
from scopelight.program.hlo.memory_spaces import MAIN, OTHER, recorded_space

GREATEST = 1 << 62
"""More FLOPs or bytes than this no execution takes: such a number is not believed."""


@attrs.frozen(slots=True)
class RecordedCost:
    """Costs of one execution as the profile states them; None where it does not.

    ``flops`` is what ran, ``model_flops`` the same without what the compiler repeats or adds. ``bytes_by_space`` is by
    memory space in words (``main``, ``vmem``, ``cmem``, ``smem``, ``host``, ``other``), reads and writes together.
    """

    flops: int | None = None
    model_flops: int | None = None
    bytes_by_space: Mapping[str, int] | None = attrs.field(default=None, hash=False)


def recorded_cost(stats: Mapping[str, object]) -> RecordedCost | None:
    """The costs among the stats of an op's metadata; None where there are none.

    Bytes that ``memory_access_breakdown`` does not divide among the device's memories are in another one: ``other``.
    """
    flops, model_flops = _count(stats.get("flops")), _count(stats.get("model_flops"))
    whole = _count(stats.get("bytes_accessed"))
    spaces: dict[str, int] | None = None
    breakdown = stats.get("memory_access_breakdown")
    if isinstance(breakdown, bytes):
        spaces = _by_space(breakdown)
    if whole is not None:
        if spaces is None:
            spaces = {MAIN: whole} if breakdown is None else {OTHER: whole}
        elif whole > sum(spaces.values()):
            spaces[OTHER] = spaces.get(OTHER, 0) + whole - sum(spaces.values())
    if flops is None and model_flops is None and spaces is None:
        return None
    return RecordedCost(flops, model_flops, spaces)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value <= GREATEST else None


def _by_space(breakdown: bytes) -> dict[str, int] | None:
    """Bytes by memory space of a serialized ``MemoryAccessBreakdown``; None where it is not one."""
    buffer = np.frombuffer(breakdown, np.uint8)
    spaces: dict[str, int] = {}
    try:
        accesses = read_message(buffer, 0, len(buffer), {1: SPAN}, None)
        for first, last in accesses.spans(1).tolist():
            access = read_message(buffer, first, last, {1: VARINT, 2: VARINT, 3: VARINT}, None)
            numbers = {int(tag) >> 3: int(value) for tag, value in access.rows[:, :2].tolist()}
            moved = _count(numbers.get(3, 0))
            if moved is None:
                return None
            space = recorded_space(numbers.get(2, 0))
            spaces[space] = spaces.get(space, 0) + moved
    except FormatError:
        return None
    return spaces
