"""The clocks of a profile's hosts, joined by when each host's session began."""

from collections.abc import Sequence

from scopelight.findings import Finding, warning
from scopelight.formats.xspace.reader import XSpace
from scopelight.model.opening.sessions import host_name

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


def started_apart(starts_ns: Sequence[int | None]) -> list[bool]:
    """Whether each session started so far from most of the others that it is of something else.

    That is known only where most of them started together.
    """
    known = sorted(each for each in starts_ns if each is not None)
    if len(known) < 3:
        return [False] * len(starts_ns)
    middle_ns = known[len(known) // 2]
    apart = [each is not None and abs(each - middle_ns) * 1000 > MOST_SKEW_PS for each in starts_ns]
    return apart if 2 * sum(apart) < len(known) else [False] * len(starts_ns)


def without_foreign(spaces: Sequence[XSpace]) -> tuple[list[XSpace], list[Finding]]:
    """The files that are of one capture, and a warning for each host that is of something else."""
    apart = started_apart([_session_start_ns(space) for space in spaces])
    foreign = [space for space, is_apart in zip(spaces, apart, strict=True) if is_apart]
    names = dict.fromkeys(host_name(each.path) for each in foreign)
    return [each for each in spaces if each not in foreign], [warning("host-foreign", host=name) for name in names]


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
