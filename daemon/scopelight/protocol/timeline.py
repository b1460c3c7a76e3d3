"""What the panel Timeline asks with and shows, and its export."""

import attrs

from scopelight.analysis.timeline.records import TimelineMatcher, TimelineRecord
from scopelight.protocol.runs import OpenedRun


@attrs.frozen(slots=True)
class TimelineOptions:
    """``path`` is the profile of a timeline that was opened as a file; None is the run that is shown.

    A timeline of a path does not wait for the run's lines to be analysed.
    """

    path: str | None = attrs.field(default=None, kw_only=True)


@attrs.frozen(slots=True)
class TimelineAnswer:
    """What the panel Timeline shows. ``run`` is None where a file's run is not opened yet."""

    run: OpenedRun | None
    record: TimelineRecord
    contents: str
    """Another one where the profile's files were written anew: what was selected before may be of no event in it."""


@attrs.frozen(slots=True)
class WindowOptions(TimelineOptions):
    """Asks what to draw of ``tracks`` (their ids), of each at most ``depths`` rows, between two times. With a matcher
    the boxes say how many events it means in each."""

    tracks: tuple[str, ...]
    depths: tuple[int, ...]
    start_ps: int
    end_ps: int
    width_px: int
    matcher: TimelineMatcher | None = None


@attrs.frozen(slots=True)
class NamesOptions(TimelineOptions):
    """Asks for the names of slices by the ids that windows carry."""

    ids: tuple[int, ...]


@attrs.frozen(slots=True)
class FindOptions(TimelineOptions):
    """Asks which events a matcher means; ``at_ps`` is where the user looks. None of ``tracks`` means all of them."""

    matcher: TimelineMatcher
    at_ps: int = 0
    tracks: tuple[str, ...] | None = None


@attrs.frozen(slots=True)
class FoundEventOptions(TimelineOptions):
    """Asks for one event that a matcher means, by its place among them all in the order of their start."""

    matcher: TimelineMatcher
    ordinal: int
    tracks: tuple[str, ...] | None = None


@attrs.frozen(slots=True)
class EventOptions(TimelineOptions):
    """Asks for an event by its number, or by a depth of a track and a time in it: the nearest where none is there."""

    track: str
    event: int | None = None
    depth: int = 0
    at_ps: int = 0


@attrs.frozen(slots=True)
class GapOptions(TimelineOptions):
    """Asks for the first gap that begins after a time, or the last before it, of the device of a section.

    Of the first device where the section is of none.
    """

    section: str | None = None
    at_ps: int = 0
    is_after: bool = True


@attrs.frozen(slots=True)
class SelectionOptions(TimelineOptions):
    """Asks for the slices that touch a span of time on ``tracks``."""

    tracks: tuple[str, ...]
    start_ps: int
    end_ps: int


@attrs.frozen(slots=True)
class EventTableOptions(TimelineOptions):
    """Asks for the events of a span of time as rows of a table: ``count`` of them from the ``first`` on."""

    tracks: tuple[str, ...]
    start_ps: int
    end_ps: int
    first: int
    count: int


@attrs.frozen(slots=True)
class ExportTimeline(TimelineOptions):
    """Asks to write ``output`` for Chrome's tracing and Perfetto: the whole run, or a span and some tracks of it."""

    output: str
    start_ps: int | None = None
    end_ps: int | None = None
    tracks: tuple[str, ...] | None = None
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)
