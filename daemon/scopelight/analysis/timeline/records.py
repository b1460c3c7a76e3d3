"""Records of the timeline: its tracks, what a window of it shows, what is found in it, and one event of it.

Times are in picoseconds and count from the profile's first event. They fit a double exactly (2^53 ps are two and a
half hours). A *slice* is one event of a lane that has a duration; an *event* is named by its track and its number in
it, in the order of start (parents before children).
"""

from collections.abc import Mapping
from typing import Literal, get_args

import attrs

from scopelight.analysis.records import FORMAT_VERSION, FramePlace, Phase, WaitingBasis, WaitingClass
from scopelight.findings import Finding

TrackKind = Literal["steps", "overlap", "lines", "modules", "scopes", "ops", "async", "stream", "thread", "counter"]
"""What a track shows, in their order. ``thread`` is a thread of the host or of XLA:CPU's pools, ``overlap`` one of the
rows of merged computation, merged communication, pure communication, transfers and free time, ``lines`` the lines of
Python on which a thread stood that launches programs."""

SectionKind = Literal["device", "host"]

ThreadWork = Literal["python", "input", "compile", "transfer", "ops", "other"]
"""What a host's thread mostly does."""

SliceColour = Literal[
    "forward", "backward", "recompute", "optimizer", "communication", "transfer", "idle", "other", "host"
]
"""What a slice is coloured by in the mode *phase*; its place in `SLICE_COLOURS` is what a window carries."""

SLICE_COLOURS: tuple[SliceColour, ...] = get_args(SliceColour)


@attrs.frozen(slots=True)
class TrackRecord:
    """One track. ``events`` is the number of its slices (of counters: of its values); ``depths`` the number of rows
    that its nested slices take, None until the lane was read. ``work`` is told of threads only."""

    id: str
    name: str
    kind: TrackKind
    events: int
    depths: int | None
    work: ThreadWork | None


@attrs.frozen(slots=True)
class SectionRecord:
    """The tracks of one device, or of one process of a host."""

    id: str
    name: str
    kind: SectionKind
    host: int
    tracks: tuple[TrackRecord, ...]


@attrs.frozen(slots=True)
class TimelineStepsRecord:
    """Complete steps, in the order of time, and where they are known from (a name to be shown)."""

    name: str
    start_ps: tuple[int, ...]
    duration_ps: tuple[int, ...]


@attrs.frozen(slots=True)
class TimelineRecord:
    """What the timeline consists of. ``busy`` is the overview for the minimap: for each device section the busy ratio
    of equal parts of the whole duration. ``complete`` is False while steps, overview and derived tracks (modules, ops,
    scopes, overlap) are still being made: the record is asked for again then."""

    duration_ps: int
    events: int
    sections: tuple[SectionRecord, ...]
    steps: TimelineStepsRecord | None
    busy: Mapping[str, tuple[float, ...]]
    complete: bool
    findings: tuple[Finding, ...]
    format_version: int = FORMAT_VERSION


@attrs.frozen(slots=True)
class TimelineMatcher:
    """Selects events: those whose name or display name matches ``text``, with ``arguments`` also those with
    such an argument, the executions of the op of a key (``OpRow.key``), or those of a recorded line of source.

    ``text`` is a substring (letter case is ignored unless it has a capital), or a regular expression.
    """

    text: str | None = None
    regex: bool = False
    arguments: bool = False
    op_key: str | None = None
    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class WindowRows:
    """Packed columns of a window, base64 of little-endian values one column after the other, in this order:

    - of boxes: ``start_ps`` float64 (from the window's start; negative where it began before), ``duration_ps`` float64;
    - of merged boxes: ``busy_ps`` float64;
    - of rows: ``first_box`` uint32 (``rows`` + 1 of them);
    - of boxes: ``name`` uint32 (an id for `TimelineNames`; the one with most time where merged), ``matched`` uint32
      (events that the matcher means; absent without a matcher);
    - of merged boxes: ``box`` uint32 (which box it is, ascending), ``count`` uint32;
    - of rows: ``track`` uint16 (place in ``WindowRecord.tracks``), ``depth`` uint16;
    - of boxes: ``colour`` uint8 (place in `SLICE_COLOURS`).

    A box is one slice, or several of one row that are less than a pixel apart and each less than a pixel long: as long
    as the same name has the most time in every pixel and each is about as busy. The ``busy_ps`` of a merged box is the
    exact sum of its slices' durations inside the window; a box that is not merged is busy all through. Boxes of a row
    do not overlap. (In a lane of more than a thousand nested slices the last row holds all that lie deeper: there a
    merged box may hold more time than it is long.)
    """

    rows: int
    boxes: int
    merged: int
    has_matches: bool
    packed: str


@attrs.frozen(slots=True)
class CounterRecord:
    """A counter in a window: base64 of little-endian float64 ``start_ps`` (from the window's start), ``least`` and
    ``greatest``, one after the other, ``points`` of each: between what the counter was from each start to the next.
    Both are NaN where it is no number from a start on. The record's own ``least`` and ``greatest`` are those of the
    whole profile, so that an axis stands still.
    """

    track: str
    unit: str
    points: int
    least: float
    greatest: float
    packed: str


@attrs.frozen(slots=True)
class WindowTrack:
    """A track of a window: the rows that it takes in all, and the exact busy time of its slices inside the window
    summed over the rows that were asked for. ``ready`` is False where its lane is still being read: it has no rows yet.
    """

    id: str
    depths: int
    busy_ps: float
    ready: bool


@attrs.frozen(slots=True)
class WindowRecord:
    """What to draw between ``start_ps`` and ``end_ps`` on ``width_px`` pixels. ``merged_px`` is how many pixels slices
    were merged to: 1, or more where there would have been too many boxes."""

    start_ps: int
    end_ps: int
    width_px: int
    merged_px: float
    tracks: tuple[WindowTrack, ...]
    boxes: WindowRows
    counters: tuple[CounterRecord, ...]


@attrs.frozen(slots=True)
class OpInJax:
    """What an op is in jax, its line and phase: an empty text, or None each, where that is not known."""

    primitive: str
    path: str | None
    line: int | None
    phase: Phase | None


@attrs.frozen(slots=True)
class TimelineNames:
    """Names of slices by the ids that were asked for, what they are shown as, and what all ops of such a name are."""

    names: tuple[str, ...]
    shown: tuple[str, ...]
    ops: tuple[OpInJax | None, ...]


@attrs.frozen(slots=True)
class EventPlace:
    """Where an event is."""

    track: str
    event: int
    depth: int
    start_ps: int
    duration_ps: int
    name: str


HitKind = Literal["events", "executions", "gaps"]
"""What a matcher means: events by what they are called or say, executions of ops, or idle time of devices."""


@attrs.frozen(slots=True)
class FoundRecord:
    """What a matcher means: how many events, of which tracks, and when.

    ``marks`` is the number in each of equal parts of the whole duration. ``ordinal`` is the place, among all in the
    order of their start, of the first one at or after the time that was asked for (0 where there is none after it).
    ``searched_ratio`` is how much of the events was searched. Below 1 it is asked for again, which goes on from there;
    who does not ask again has cancelled. ``failure`` is a sentence: a faulty or too slow expression. ``findings`` say
    what cannot be, or will not be searched.
    """

    count: int
    tracks: Mapping[str, int]
    marks: tuple[int, ...]
    ordinal: int
    searched_ratio: float
    failure: str | None
    findings: tuple[Finding, ...]
    kind: HitKind = "events"
    lead: int = 0
    """The ordinal of the one to look at first: of gaps a typical one within the complete steps."""


@attrs.frozen(slots=True)
class GapFound:
    """A gap of a device, None where it has none of ``least_ps`` or more; ``device`` is the name of its section."""

    place: EventPlace | None
    device: str
    least_ps: int


@attrs.frozen(slots=True)
class ArgumentRecord:
    """One argument of an event, as the profile has it."""

    name: str
    value: str


@attrs.frozen(slots=True)
class FlowRecord:
    """An event that this one led to (``outgoing``) or came from; ``op`` is None where it is no op."""

    outgoing: bool
    place: EventPlace
    shown_name: str
    op: OpInJax | None


@attrs.frozen(slots=True)
class FrameRecord:
    """One frame of a source stack. ``file`` is where it is, as far as known; ``user`` whether it is the user's code."""

    path: str
    file: str | None
    line: int
    function: str
    user: bool


@attrs.frozen(slots=True)
class GapPart:
    """What of a gap is of one class on one line. Of no line ``place`` is None, and ``basis`` with it."""

    waiting_class: WaitingClass
    time_ps: int
    place: FramePlace | None
    basis: WaitingBasis | None


@attrs.frozen(slots=True)
class GapRecord:
    """Why a device was idle, and what ended it.

    ``parts`` are the longest first and sum to the gap. ``exposed_by`` is the line of the wait for a result that had
    kept the host until the gap began. ``ended_by`` is the execution that ended it, None where nothing did, and
    ``launched_by`` the event in which the host launched its run, None where that is not recorded or was before the run
    was interrupted by the gap.
    """

    parts: tuple[GapPart, ...]
    exposed_by: FramePlace | None
    ended_by: FlowRecord | None
    launched_by: FlowRecord | None


@attrs.frozen(slots=True)
class EventRecord:
    """Everything that is known of one event. ``explanation`` says in words what a characteristic event is (a wait for
    input, a sum across replicas, ...), or one that was worked out and not recorded. ``frames`` are innermost first.
    Unknown is None."""

    place: EventPlace
    shown_name: str
    self_ps: int
    step: int | None
    program: str | None
    run_id: str | None
    category: str | None
    colour: SliceColour
    op_key: str | None
    op_name: str | None
    shapes: str | None
    findings: tuple[Finding, ...]
    arguments: tuple[ArgumentRecord, ...]
    flows: tuple[FlowRecord, ...]
    frames: tuple[FrameRecord, ...]
    primitive: str = ""
    """The operation of jax that the event's op is; empty where none is known, and of what is no op."""
    phase: Phase | None = None
    """Of the op."""
    gap: GapRecord | None = None
    """Of idle time of a device alone."""


@attrs.frozen(slots=True)
class SelectedName:
    """The slices of one name in a selection. Times are of the parts inside it, the ratio is of the sum of them all.
    ``op`` is None where they are not all of ops that are the same in jax."""

    name: str
    shown_name: str
    count: int
    total_ps: int
    self_ps: int
    mean_ps: float
    least_ps: int
    greatest_ps: int
    share_ratio: float
    findings: tuple[Finding, ...]
    op: OpInJax | None


@attrs.frozen(slots=True)
class SelectionRecord:
    """The slices that touch a span of time on some tracks, by name, longest total first. ``names`` counts all names,
    of which the first ``len(rows)`` are listed."""

    start_ps: int
    end_ps: int
    count: int
    total_ps: int
    names: int
    rows: tuple[SelectedName, ...]
    findings: tuple[Finding, ...]


@attrs.frozen(slots=True)
class TableRow:
    """One event as a row of the table twin; ``op`` is None where it is no op."""

    place: EventPlace
    shown_name: str
    self_ps: int
    op: OpInJax | None


@attrs.frozen(slots=True)
class EventTable:
    """The events of a span of time on some tracks by start, from ``first`` on; ``count`` is how many there are."""

    count: int
    first: int
    rows: tuple[TableRow, ...]


@attrs.frozen(slots=True)
class ExportedTimeline:
    """A file that was written for Chrome's tracing and Perfetto. ``findings`` count by kind what it does not hold."""

    path: str
    events: int
    findings: tuple[Finding, ...]
