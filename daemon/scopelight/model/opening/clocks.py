"""The clocks of a profile's hosts, joined by when each host's session began."""

from collections.abc import Sequence

from scopelight.findings import Finding, warning
from scopelight.formats.xspace.reader import XSpace

MOST_SKEW_PS = 86_400 * 10**12
"""Sessions of one capture start within seconds of each other; a day apart they are not one capture."""


def clock_offsets_ps(spaces: Sequence[XSpace]) -> tuple[list[int], list[Finding]]:
    """How much later each host's origin is than the earliest one's, and a warning where the clocks cannot be joined."""
    starts = [_session_start_ns(space) for space in spaces]
    if len(spaces) > 1 and any(start is None for start in starts):
        return [0] * len(spaces), [warning("session-starts-unknown")]
    absolute = [(start or 0) + space.origin_ns for start, space in zip(starts, spaces, strict=True)]
    offsets = [(each - min(absolute)) * 1000 for each in absolute]
    if max(offsets) > MOST_SKEW_PS:
        return [0] * len(spaces), [warning("sessions-apart")]
    return offsets, []


def began_ns(spaces: Sequence[XSpace], offsets_ps: Sequence[int]) -> int | None:
    """When the clocks of a profile's spaces stood at 0, in ns since the epoch; None where they cannot be joined."""
    starts = [_session_start_ns(space) for space in spaces]
    began = [
        start + space.origin_ns - offset_ps // 1000
        for start, space, offset_ps in zip(starts, spaces, offsets_ps, strict=True)
        if start is not None
    ]
    return began[0] if len(began) == len(spaces) and len(set(began)) == 1 else None


def _session_start_ns(space: XSpace) -> int | None:
    """When the session began, in ns since the epoch; None in older files."""
    for plane in space.planes:
        if plane.name == "Task Environment":
            start = plane.stats.get("profile_start_time")
            return start if isinstance(start, int) else None
    return None
