"""Records of the threads of a host."""

from collections.abc import Mapping
from typing import ClassVar

import attrs

from scopelight.analysis.records import ViewRecord, WaitingBasis, WaitingClass


@attrs.frozen(slots=True)
class HostLine:
    """A line of the user's on which a thread stood, innermost of its stack; ``share_ratio`` of the window.

    ``total_ps`` is with all that the line called.
    """

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    time_ps: int
    total_ps: int
    share_ratio: float


@attrs.frozen(slots=True)
class HostThreadRecord:
    """A thread in the window.

    ``states_ps`` is what it was in by class, each moment in one, longest first; ``known_ps`` their sum and what is
    known of it besides, which is on ``lines``, longest first, and ``elsewhere_ps``, outside of the user's code.
    ``basis`` is None where nothing was recorded of it, ``line_id`` a string: the number exceeds 2^53. ``collections``
    of garbage took ``collecting_ps``, the longest ``longest_collection_ps``.
    """

    key: str
    name: str
    line_id: str
    native_id: int | None
    host: int
    launches: int
    states_ps: Mapping[WaitingClass, int]
    known_ps: int
    elsewhere_ps: int
    lines: tuple[HostLine, ...]
    basis: WaitingBasis | None
    collections: int
    collecting_ps: int
    longest_collection_ps: int


@attrs.frozen(slots=True)
class HostQueueRecord:
    """A queue in which a thread was seen to wait, and who did: threads by name, with the function that they were in."""

    key: str
    kind: str
    name: str
    capacity: int | None
    mean_held: float | None
    least_held: int | None
    greatest_held: int | None
    readings: int
    waits: tuple[str, ...]


@attrs.frozen(slots=True)
class DarkFunction:
    """A function of the user's whose lines were told apart no more, since that would have slowed the script."""

    path: str | None
    file: str | None
    line: int
    function: str


@attrs.frozen(slots=True)
class HostThreadsRecord(ViewRecord):
    """What the threads of the hosts were in, and where they stood, in a window of ``window_ps``.

    ``python`` is the version that ran the script, None where nothing was recorded.
    """

    ROWS: ClassVar = "threads"

    window_ps: int = 0
    python: str | None = None
    threads: tuple[HostThreadRecord, ...] = ()
    queues: tuple[HostQueueRecord, ...] = ()
    dark: tuple[DarkFunction, ...] = ()
