"""XSpace files (``*.xplane.pb``): planes, lines and events, mapped into memory and decoded when asked for."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final, NamedTuple

import attrs
import numpy as np

from scopelight.findings import Finding, warning
from scopelight.formats.columns import Int32, Int64, distinct_values
from scopelight.formats.errors import FormatError
from scopelight.formats.mapped import MappedFile, map_file
from scopelight.formats.recognise import resemblance, signature
from scopelight.formats.side_by_side import reading_threads
from scopelight.formats.wire import (
    ENDS_EARLY,
    OVERRUN,
    SPAN,
    TIME_OVERFLOW,
    VARINT,
    Buffer,
    Message,
    checked,
    expect_types,
    fault_clause,
    new_fault,
    raise_fault,
    read_message,
    scan_message,
    text,
)
from scopelight.formats.xspace.cut_off import (
    STAT_NAMES,
    broken_field,
    whole_fields,
    with_all_numbers,
    with_numbers,
)
from scopelight.formats.xspace.events import EventMetadata, Events, with_shared
from scopelight.formats.xspace.events_kernels import (
    ENTRY_COLUMNS,
    ENTRY_KEY,
    ENTRY_NAME,
    decode_events,
    next_events,
    read_entries,
    scan_line,
    scan_span,
)
from scopelight.formats.xspace.lookup import find_row, id_table
from scopelight.formats.xspace.stats import MessageStats, StatNames, StatReader, StatValue

PLANES_LIMIT: Final = 65_536
LINES_LIMIT: Final = 262_144
"""Real files hold some thousands of lines; a hostile one must not fill the memory with empty ones."""
NOTES_LIMIT: Final = 1_000

_FIELDS: Final = {1: SPAN, 2: SPAN, 3: SPAN, 4: SPAN}
"""Planes, errors, warnings, names of hosts."""
_TAGS: Final = frozenset(number << 3 | wire_type for number, wire_type in _FIELDS.items())
_PLANE_STATS: Final = 6
_EVENT_STATS: Final = 4
_METADATA_STATS: Final = 5
LONG_LINE_BYTES: Final = 4 << 20
"""Several lines that are longer are scanned side by side."""


@attrs.define(eq=False, repr=False)
class _Origin:
    """The file's origin, known once all lines are scanned."""

    ns: int = 0


class LinePlace(NamedTuple):
    """Which line of which file: the same each time that the file is opened."""

    file: Path
    position: int
    """The byte at which the line begins."""


class LineSpan(NamedTuple):
    """How far a line reaches: first start and last end since the file's origin, timed events.

    ``sampled`` are rows of the event metadata of some of them, -1 where the plane has no such row.
    """

    first_ps: int
    last_ps: int
    events_count: int
    sampled: Int32


@attrs.frozen(eq=False, repr=False)
class XLine:
    """A line of a plane: a thread, a stream, or a derived row. Ids may be negative and names may repeat."""

    id: int
    name: str
    display_name: str
    timestamp_ns: int
    """What the events' offsets count from, as recorded."""
    duration_ps: int
    events_count: int
    """Events in the file, aggregated ones included."""
    has_times: bool
    """Whether any event has a position in time."""
    _first: int = attrs.field(repr=False)
    _last: int = attrs.field(repr=False)
    _origin: _Origin = attrs.field(repr=False)
    events_metadata: EventMetadata = attrs.field(repr=False)
    """What its plane says once of each kind of event."""
    _reader: StatReader = attrs.field(repr=False)

    @property
    def place(self) -> LinePlace:
        """Where the line is."""
        return LinePlace(self._reader.path, self._first)

    def span(self, most_samples: int = 0) -> LineSpan | None:
        """How far the line's timed events reach, without decoding them; None where it has none.

        Up to ``most_samples`` events, spread evenly, say what kinds of events it has.
        """
        sampled: Int32 = np.zeros(most_samples, np.int32)
        stride = -(-self.events_count // max(1, most_samples))
        table = self.events_metadata.table
        place = (self._first, self._last, self._base_ps(), stride, table)
        reach = checked(self._reader.path, scan_span, self._reader.buffer, *place, sampled)
        first_ps, last_ps, events_count, samples = map(int, reach)
        return LineSpan(first_ps, last_ps, events_count, sampled[:samples]) if events_count else None

    def timed(self) -> tuple[Int32, Int64, Int64]:
        """Decode what the timed events are and when, without their stats (20 bytes of columns each).

        Rows of the event metadata, start_ps and duration_ps, as `Events` has them.
        """
        metadata, times = self._decode(columns=2)
        return metadata, times[0], times[1]

    def event_stats(self, index: int) -> dict[str, StatValue]:
        """The stats of the timed event number ``index``, as `Events.stats` gives them, without decoding the others."""
        found: Int64 = np.zeros((3, 1), np.int64)
        next_events(self._reader.buffer, self._first, self._last, index, found)
        metadata_id, first, last = found[:, 0].tolist()
        row = int(find_row(self.events_metadata.table, metadata_id))
        return with_shared(self._reader.read(first, last), self.events_metadata.stats(row) if row >= 0 else {})

    def forget_pages(self) -> None:
        """Let go of the memory that its part of the file takes. It comes back where it is read again."""
        self._reader.file.forget_pages(self._first, self._last)

    def events(self) -> Events:
        """Decode the events that have a position in time (36 bytes of columns each)."""
        return Events(*self._decode(), self.events_metadata, self._reader)

    def stats_in_parts(self, most: int) -> Iterator[MessageStats]:
        """The stats of the timed events in the file's order, of at most so many at a time.

        Of the columns of `events` none are made, and the memory of each part of the file is let go of behind it.
        """
        position = self._first
        most = max(1, min(most, self.events_count))
        while position < self._last:
            found: Int64 = np.empty((3, most), np.int64)
            count, behind = next_events(self._reader.buffer, position, self._last, 0, found)
            yield MessageStats(found[1, :count], found[2, :count], self._reader)
            self._reader.file.forget_pages(position, int(behind))
            position = int(behind)

    @property
    def stat_names(self) -> Sequence[str]:
        """Names of the stats that the plane's events may have."""
        return self._reader.stat_names.names

    def _base_ps(self) -> int:
        """What the events' offsets count from, since the file's origin."""
        base_ps = (self.timestamp_ns - self._origin.ns) * 1000 if self.has_times else 0
        if not -(1 << 63) <= base_ps < 1 << 63:
            fault = new_fault()
            fault[:2] = TIME_OVERFLOW, self._first
            raise_fault(fault, self._reader.path)
        return base_ps

    def _decode(self, columns: int = 4) -> tuple[Int32, Int64]:
        metadata: Int32 = np.empty(self.events_count, np.int32)
        times: Int64 = np.empty((columns, self.events_count), np.int64)
        columns_of = (self._base_ps(), self.events_metadata.table, metadata, times)
        path, buffer = self._reader.path, self._reader.buffer
        stretch_bytes = self._reader.file.stretch_bytes
        position, count = self._first, 0
        while position < self._last:
            pause = min(self._last, position + stretch_bytes)
            place = (position, pause, self._last, count)
            count, behind = map(int, checked(path, decode_events, buffer, *place, *columns_of))
            if self._last - self._first > stretch_bytes:
                self._reader.file.forget_pages(position, min(behind, pause))
            position = behind
        return metadata[:count], times[:, :count]


@attrs.frozen(eq=False, slots=False, repr=False)
class XPlane:
    """A plane: one device, the host's threads, or a table such as ``/host:metadata``."""

    name: str
    id: int
    lines: tuple[XLine, ...] = attrs.field(repr=False)
    events_metadata: EventMetadata = attrs.field(repr=False)
    stat_names: Sequence[str] = attrs.field(repr=False)
    """Names of the stats that the plane may use."""
    _span: tuple[int, int] = attrs.field(repr=False)
    _reader: StatReader = attrs.field(repr=False)
    has_all_lines: bool = True
    """Whether the file was not cut off among them; the names come behind the lines."""

    @property
    def has_lost_names(self) -> bool:
        """Whether the file was cut off in the midst of it, and what is on its lines goes by numbers in part."""
        return self.events_metadata.lost > 0 or len(self.stat_names) >= STAT_NAMES - 1

    def with_stat_names(self, names: Mapping[int, str]) -> "XPlane":
        """The plane with other names for the stats of some rows: they were lost, and what they are has been found."""
        known = self._reader.stat_names
        chosen = StatNames(tuple(names.get(row, name) for row, name in enumerate(known.names)), known.table)
        reader = attrs.evolve(self._reader, stat_names=chosen)
        of_events = attrs.evolve(reader, number=_EVENT_STATS)
        return attrs.evolve(
            self,
            lines=tuple(attrs.evolve(line, reader=of_events) for line in self.lines),
            stat_names=chosen.names,
            reader=reader,
        )

    @cached_property
    def stats(self) -> dict[str, StatValue]:
        """The plane's own stats (a device's capabilities, the session's times)."""
        return self._reader.read(*self._span)


@attrs.frozen(eq=False, repr=False)
class XSpace:
    """One file of a profile, usually all that one host recorded."""

    path: Path
    size_bytes: int
    planes: tuple[XPlane, ...]
    findings: tuple[Finding, ...]
    """The profiler's own warnings, then this reader's, then what the profiler reported as failed."""
    origin_ns: int
    """Least ``timestamp_ns`` of the lines that have timed events: what ``start_ps`` counts from."""
    is_cut_off: bool = False
    """Whether the file ends in the midst of a plane; a warning says where."""
    cut_plane: XPlane | None = None
    """That plane, up to there; None where nothing of it can be read."""


def read_xspace(path: Path) -> XSpace:
    """Map an XSpace file and read its planes' headers and metadata maps; events are decoded when asked for.

    A file that was cut off gives its complete planes, what is whole of the next one, and a warning. Raises a
    `FormatError` for all else that is not an XSpace; errors inside events and stats come up when those are decoded.
    """
    file = map_file(path, "profile")
    if meaning := signature(bytes(file.bytes[:256])):
        raise FormatError(meaning, path=path)
    try:
        return _read(file)
    except FormatError as error:
        if meaning := resemblance(file.bytes):
            raise FormatError(meaning, path=path) from error
        raise


def _read(file: MappedFile) -> XSpace:
    path, buffer = file.path, file.bytes
    message = scan_message(buffer, 0, len(buffer))
    expect_types(message, _FIELDS, path)
    planes_spans = message.spans(1)
    cut_off = int(message.fault[0]) in (ENDS_EARLY, OVERRUN)
    if not cut_off or not len(planes_spans):
        if cut_off and _begins_as_profile(buffer, message):
            raise FormatError(
                "it was cut off before its first part was complete, while it was written or copied; copy the whole"
                " file again, or capture again",
                path=path,
            )
        raise_fault(message.fault, path)
    if not len(planes_spans) and not (message.rows[:, 0] >> 3 <= 4).any():
        raise FormatError("it has none of the fields of a profile", path=path)
    if len(planes_spans) > PLANES_LIMIT:
        raise FormatError("it has {count} planes", path=path, count=len(planes_spans))
    origin = _Origin()
    planes: list[XPlane] = []
    lines_left = LINES_LIMIT
    for first, last in planes_spans.tolist():
        plane = _read_plane(file, first, last, origin, lines_left)
        lines_left -= len(plane.lines)
        planes.append(plane)
    cut_plane = _read_cut_plane(file, message, origin, lines_left) if cut_off else None
    read = planes if cut_plane is None else [*planes, cut_plane]
    origin.ns = min((line.timestamp_ns for plane in read for line in plane.lines if line.has_times), default=0)
    findings = [warning("profiler-warning", message=each) for each in _notes(buffer, message, 3)]
    if cut_off:
        position, fault = int(message.fault[1]), fault_clause(message.fault)
        findings.append(warning("file-cut-off", path=str(path), offset=position, fault=fault, planes=len(planes)))
    findings.extend(warning("profiler-error", message=each) for each in _notes(buffer, message, 2))
    return XSpace(
        path,
        len(buffer),
        tuple(planes),
        findings=tuple(findings),
        origin_ns=origin.ns,
        is_cut_off=cut_off,
        cut_plane=cut_plane,
    )


def _begins_as_profile(buffer: Buffer, message: Message) -> bool:
    """Whether the fields up to the one that is cut off, and that one too, are those of a profile."""
    start = int(message.rows[-1, 2]) if len(message.rows) else 0
    # A length that no message can have is no length.
    return set(message.rows[:, 0].tolist()) <= _TAGS and int(buffer[start]) in _TAGS and int(message.fault[2]) < 1 << 31


def _notes(buffer: Buffer, message: Message, number: int) -> tuple[str, ...]:
    """The texts of a repeated field, the first `NOTES_LIMIT` of them."""
    return tuple(text(buffer, first, last) for first, last in message.spans(number)[:NOTES_LIMIT].tolist())


_PLANE_FIELDS: Final = {1: VARINT, 2: SPAN, 3: SPAN, 4: SPAN, 5: SPAN, 6: SPAN}
"""Id, name, lines, names of events, names of stats, stats."""


def _read_plane(file: MappedFile, first: int, last: int, origin: _Origin, lines_left: int) -> XPlane:
    message = read_message(file.bytes, first, last, _PLANE_FIELDS, file.path)
    return _plane(file, message, message.spans(3), (first, last), origin, lines_left)


def _read_cut_plane(file: MappedFile, whole: Message, origin: _Origin, lines_left: int) -> XPlane | None:
    """What is left of the plane that the end of the file cuts; None where nothing of it can be read."""
    buffer = file.bytes
    first = broken_field(buffer, whole, 1)
    if first is None:
        return None
    try:
        message, last = whole_fields(buffer, first)
        expect_types(message, _PLANE_FIELDS, file.path)
        lines = message.spans(3)
        cut_line = broken_field(buffer, message, 3)
        if cut_line is not None:
            lines = np.concatenate((lines, [[cut_line, whole_fields(buffer, cut_line)[1]]]))
        return _plane(file, message, lines, (first, last), origin, lines_left, is_cut_off=True)
    except FormatError:
        return None


def _plane(
    file: MappedFile,
    message: Message,
    lines_spans: Int64,
    span: tuple[int, int],
    origin: _Origin,
    lines_left: int,
    *,
    is_cut_off: bool = False,
) -> XPlane:
    path, buffer = file.path, file.bytes
    if len(lines_spans) > lines_left:
        raise FormatError("its planes have more than {limit} lines", path=path, offset=span[0], limit=LINES_LIMIT)
    stat_columns = _read_map(buffer, message.spans(5), False, path)
    names = tuple(text(buffer, a, b) for a, b in stat_columns[ENTRY_NAME : ENTRY_NAME + 2].T.tolist())
    stat_ids = stat_columns[ENTRY_KEY]
    event_columns, lost = _read_map(buffer, message.spans(4), True, path), 0
    # Names of events come before those of stats, and these before the plane's own stats.
    if is_cut_off and not len(message.spans(6)):
        names, stat_ids = with_all_numbers(names, stat_ids)
        if not len(message.spans(5)):
            event_columns, lost = with_numbers(event_columns, _metadata_ids(buffer, lines_spans, path))
    stat_names = StatNames(names, id_table(stat_ids))
    events_metadata = EventMetadata(
        event_columns,
        id_table(event_columns[ENTRY_KEY]),
        StatReader(file, stat_names, _METADATA_STATS),
        lost,
    )
    reader = StatReader(file, stat_names, _EVENT_STATS)
    plane_names = message.spans(2)
    ids = message.rows[message.rows[:, 0] == 1 << 3, 1]
    return XPlane(
        text(buffer, *plane_names[-1].tolist()) if len(plane_names) else "",
        int(ids[-1]) if len(ids) else 0,
        _scan_lines(lines_spans, origin, events_metadata, reader),
        events_metadata,
        stat_names.names,
        span,
        StatReader(file, stat_names, _PLANE_STATS),
        not is_cut_off or len(message.spans(4)) > 0,
    )


def _metadata_ids(buffer: Buffer, lines_spans: Int64, path: Path) -> Int64:
    """The ids of the event metadata that the timed events of some lines name."""
    found = [np.empty(0, np.int64)]
    for first, last in lines_spans.tolist():
        events: Int64 = np.empty((3, int(checked(path, scan_line, buffer, first, last).events_count)), np.int64)
        count, _ = next_events(buffer, first, last, 0, events)
        found.append(distinct_values(events[0, :count]))
    return distinct_values(np.concatenate(found))


def _read_map(buffer: Buffer, spans: Int64, has_display: bool, path: Path) -> Int64:
    """The columns of a metadata map, one per id: of entries with the same key the last stands."""
    columns: Int64 = np.zeros((ENTRY_COLUMNS, len(spans)), np.int64)
    checked(path, read_entries, buffer, spans, has_display, columns)
    keys, last_from_end = np.unique(columns[ENTRY_KEY][::-1], return_index=True)
    if len(keys) == len(spans):
        return columns
    return columns[:, np.sort(len(spans) - 1 - last_from_end)]


def _scan_lines(spans: Int64, origin: _Origin, events_metadata: EventMetadata, reader: StatReader) -> tuple[XLine, ...]:
    def scan(span: list[int]) -> XLine:
        first, last = span
        return _scan_line(first, last, origin, events_metadata, reader)

    # To hand a line over takes longer than to scan a short one.
    if np.count_nonzero(spans[:, 1] - spans[:, 0] > LONG_LINE_BYTES) < 2:
        return tuple(map(scan, spans.tolist()))
    with reading_threads() as pool:
        return tuple(pool.map(scan, spans.tolist()))


def _scan_line(first: int, last: int, origin: _Origin, events_metadata: EventMetadata, reader: StatReader) -> XLine:
    header = checked(reader.path, scan_line, reader.buffer, first, last)
    if last - first > reader.file.stretch_bytes:
        reader.file.forget_pages(first, last)
    return XLine(
        id=int(header.id),
        name=text(reader.buffer, *header.name),
        display_name=text(reader.buffer, *header.display_name),
        timestamp_ns=int(header.timestamp_ns),
        duration_ps=int(header.duration_ps),
        events_count=int(header.events_count),
        has_times=header.has_times,
        first=first,
        last=last,
        origin=origin,
        events_metadata=events_metadata,
        reader=reader,
    )
