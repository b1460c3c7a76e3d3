"""Events: the columns of a line, and the metadata that its events share."""

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.formats.wire import text
from scopelight.formats.xspace.events_kernels import (
    ENTRY_BODY,
    ENTRY_DISPLAY_NAME,
    ENTRY_KEY,
    ENTRY_METADATA,
    ENTRY_NAME,
)
from scopelight.formats.xspace.lookup import IdTable
from scopelight.formats.xspace.stats import StatReader, StatTable, StatValue


class EventMetadata:
    """What a plane says once of each kind of event: one row per id.

    Rows are in the file's order, with the last entry of an id standing for it.
    """

    def __init__(self, columns: Int64, table: IdTable, reader: StatReader) -> None:
        self._columns = columns
        self._reader = reader
        self.table = table

    def __len__(self) -> int:
        return int(self._columns.shape[1])

    @property
    def ids(self) -> Int64:
        """The ids by which the file's events name the rows."""
        ids: Int64 = self._columns[ENTRY_KEY]
        return ids

    def _text(self, column: int, row: int) -> str:
        return text(self._reader.buffer, int(self._columns[column, row]), int(self._columns[column + 1, row]))

    def _texts(self, column: int) -> tuple[str, ...]:
        """The texts of all rows; four times as fast as one by one."""
        view: memoryview = self._reader.buffer.data
        spans = self._columns[column : column + 2].T.tolist()
        return tuple(str(view[first:last], "utf-8", "replace") for first, last in spans)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The full names by row; on TPU the whole text of an HLO instruction."""
        return self._texts(ENTRY_NAME)

    @cached_property
    def display_names(self) -> tuple[str, ...]:
        """The short names by row, empty where there is none."""
        return self._texts(ENTRY_DISPLAY_NAME)

    def text(self, row: int) -> str:
        """The full name of one row."""
        return self._text(ENTRY_NAME, row)

    def shown_name(self, row: int) -> str:
        """The name to show: the display name where there is one, else the name."""
        return self._text(ENTRY_DISPLAY_NAME, row) or self._text(ENTRY_NAME, row)

    def _span(self, row: int) -> tuple[int, int]:
        return int(self._columns[ENTRY_BODY, row]), int(self._columns[ENTRY_BODY + 1, row])

    def stats(self, row: int) -> dict[str, StatValue]:
        """The stats that all events of the row share (FLOPs, bytes, source, ...)."""
        return self._reader.read(*self._span(row))

    def stat_position(self, row: int, name: str) -> int | None:
        """Where in the file the bytes of one stat begin, None where the row has no such bytes."""
        span = self._reader.span(*self._span(row), name)
        return None if span is None else span[0]

    def stat_bytes(self, row: int, name: str) -> memoryview | None:
        """The bytes of one stat as a view of the file, None where the row has no such bytes."""
        span = self._reader.span(*self._span(row), name)
        return None if span is None else self._reader.buffer[span[0] : span[1]].data

    def integer_stats(self, names: Sequence[str]) -> dict[str, tuple[Int64, Bool]]:
        """Integer stats as columns over all rows; see `Events.integer_stats`."""
        return self._reader.integers(self._columns[ENTRY_BODY], self._columns[ENTRY_BODY + 1], names)

    def text_stat(self, name: str) -> tuple[Int32, tuple[str, ...]]:
        """A text stat as a column over all rows; see `Events.text_stat`."""
        return self._reader.texts(self._columns[ENTRY_BODY], self._columns[ENTRY_BODY + 1], name)

    def metadata(self, row: int) -> bytes:
        """The opaque bytes of the row."""
        first, last = self._columns[ENTRY_METADATA : ENTRY_METADATA + 2, row].tolist()
        return bytes(self._reader.buffer[first:last])


@attrs.frozen(eq=False)
class EventStats:
    """The stats of some events of a line that follow each other in the file, found and not decoded."""

    _firsts: Int64
    _lasts: Int64
    _reader: StatReader

    def __len__(self) -> int:
        return len(self._firsts)

    def integer_stats(self, names: Sequence[str]) -> dict[str, tuple[Int64, Bool]]:
        """Integer stats as columns; see `Events.integer_stats`."""
        return self._reader.integers(self._firsts, self._lasts, names)


class Events:
    """A line's events in the file's order, which need not be the order of time.

    ``metadata`` int32[n] are rows of `EventMetadata`; ``start_ps`` int64[n] counts from ``XSpace.origin_ns``;
    ``duration_ps`` int64[n] is 0 for instants, never negative.
    """

    def __init__(self, metadata: Int32, times: Int64, events_metadata: EventMetadata, reader: StatReader) -> None:
        self.metadata = metadata
        self.start_ps: Int64 = times[0]
        self.duration_ps: Int64 = times[1]
        self._stats_first: Int64 = times[2]
        self._stats_last: Int64 = times[3]
        self._events_metadata = events_metadata
        self._reader = reader

    def __len__(self) -> int:
        return len(self.metadata)

    def order(self) -> Int64:
        """Rows by start, those that end later first, then in the file's order: parents before children."""
        start, duration = self.start_ps, self.duration_ps
        later = start[1:] > start[:-1]
        nested = (start[1:] == start[:-1]) & (duration[1:] <= duration[:-1])
        if bool(np.all(later | nested)):
            return np.arange(len(self), dtype=np.int64)
        return np.lexsort((-duration, start)).astype(np.int64, copy=False)

    def integer_stats(self, names: Sequence[str], rows: Int64 | None = None) -> dict[str, tuple[Int64, Bool]]:
        """The events' own integer stats by name: (values int64[n], present bool[n]), all in one pass.

        Unsigned values keep their bit pattern; a value is 0 where ``present`` is False. With ``rows`` only
        those events are read, in that order.
        """
        if rows is None:
            return self._reader.integers(self._stats_first, self._stats_last, names)
        return self._reader.integers(self._stats_first[rows], self._stats_last[rows], names)

    def first_numbers(self) -> Float64:
        """The first number among each event's own stats, float64[n]; NaN where it has none."""
        return self._reader.first_numbers(self._stats_first, self._stats_last)

    def text_stat(self, name: str, rows: Int64 | None = None) -> tuple[Int32, tuple[str, ...]]:
        """The events' own text stat: codes int32[n] (-1 where absent) into the distinct texts.

        Text, references, bytes and compressed text are alike. With ``rows`` only those events are read, in that order.
        """
        if rows is None:
            return self._reader.texts(self._stats_first, self._stats_last, name)
        return self._reader.texts(self._stats_first[rows], self._stats_last[rows], name)

    @property
    def events_metadata(self) -> EventMetadata:
        """What the plane says once of each kind of event."""
        return self._events_metadata

    @property
    def stat_names(self) -> Sequence[str]:
        """Names of the stats that the plane's events may have."""
        return self._reader.stat_names.names

    def own_stat_table(self, rows: Int64) -> StatTable:
        """The own stats of some events, undecoded."""
        return self._reader.table(self._stats_first[rows], self._stats_last[rows])

    def own_stats(self, index: int) -> dict[str, StatValue]:
        """The stats on the event itself."""
        return self._reader.read(int(self._stats_first[index]), int(self._stats_last[index]))

    def stats(self, index: int) -> dict[str, StatValue]:
        """The event's own stats and its metadata's; the event's own come first and win."""
        own = self.own_stats(index)
        shared = self._events_metadata.stats(int(self.metadata[index]))
        return own | {name: value for name, value in shared.items() if name not in own}
