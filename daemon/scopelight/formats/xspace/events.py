"""Events: the columns of a line, and the metadata that its events share."""

from functools import cached_property

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.wire import text
from scopelight.formats.xspace.cut_off import numbered
from scopelight.formats.xspace.events_kernels import (
    ENTRY_BODY,
    ENTRY_DISPLAY_NAME,
    ENTRY_KEY,
    ENTRY_NAME,
    are_in_order,
    find_firsts,
)
from scopelight.formats.xspace.lookup import IdTable
from scopelight.formats.xspace.stats import MessageStats, StatReader, StatValue


class EventMetadata(MessageStats):
    """What a plane says once of each kind of event: one row per id.

    Rows are in the file's order, with the last entry of an id standing for it. The last ``lost`` rows have lost theirs
    where the file was cut off: they go by the number of their id.
    """

    def __init__(self, columns: Int64, table: IdTable, reader: StatReader, lost: int = 0) -> None:
        super().__init__(columns[ENTRY_BODY], columns[ENTRY_BODY + 1], reader)
        self._columns = columns
        self.table = table
        self.lost = lost

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
        names = self._texts(ENTRY_NAME)
        known = len(names) - self.lost
        return names if not self.lost else (*names[:known], *map(numbered, self.ids[known:].tolist()))

    @cached_property
    def display_names(self) -> tuple[str, ...]:
        """The short names by row, empty where there is none."""
        return self._texts(ENTRY_DISPLAY_NAME)

    def text(self, row: int) -> str:
        """The full name of one row."""
        if row >= len(self) - self.lost:
            return numbered(int(self.ids[row]))
        return self._text(ENTRY_NAME, row)

    def shown_name(self, row: int) -> str:
        """The name to show: the display name where there is one, else the name."""
        return self._text(ENTRY_DISPLAY_NAME, row) or self.text(row)

    def stats(self, row: int) -> dict[str, StatValue]:
        """The stats that all events of the row share (FLOPs, bytes, source, ...)."""
        return self._reader.read(int(self._firsts[row]), int(self._lasts[row]))

    def stat_span(self, row: int, name: str) -> tuple[int, int] | None:
        """Where in the file the bytes of one stat lie, None where the row has no such bytes."""
        return self._reader.span(int(self._firsts[row]), int(self._lasts[row]), name)

    def file_bytes(self, first: int, last: int) -> bytes:
        """A copy of bytes of the file."""
        return bytes(self._reader.buffer[first:last].data)


class Events(MessageStats):
    """A line's events in the file's order, which need not be the order of time; and their own stats.

    ``metadata`` int32[n] are rows of `EventMetadata`; ``start_ps`` int64[n] counts from ``XSpace.origin_ns``;
    ``duration_ps`` int64[n] is 0 for instants, never negative.
    """

    def __init__(self, metadata: Int32, times: Int64, events_metadata: EventMetadata, reader: StatReader) -> None:
        super().__init__(times[2], times[3], reader)
        self.metadata = metadata
        self.start_ps: Int64 = times[0]
        self.duration_ps: Int64 = times[1]
        self.events_metadata = events_metadata
        """What the plane says once of each kind of event."""

    @cached_property
    def firsts(self) -> Int64:
        """The first event of each row of the metadata that has any, in the order of these rows."""
        firsts: Int64 = np.full(len(self.events_metadata), -1, np.int64)
        find_firsts(self.metadata, firsts)
        return firsts[firsts >= 0]

    def order(self) -> Int64:
        """Rows by start, those that end later first, then in the file's order: parents before children."""
        if are_in_order(self.start_ps, self.duration_ps):
            return np.arange(len(self), dtype=np.int64)
        return np.lexsort((-self.duration_ps, self.start_ps)).astype(np.int64, copy=False)

    def own_stats(self, index: int) -> dict[str, StatValue]:
        """The stats on the event itself."""
        return self._reader.read(int(self._firsts[index]), int(self._lasts[index]))

    def stats(self, index: int) -> dict[str, StatValue]:
        """The event's own stats and its metadata's; the event's own come first and win."""
        return with_shared(self.own_stats(index), self.events_metadata.stats(int(self.metadata[index])))


def with_shared(own: dict[str, StatValue], shared: dict[str, StatValue]) -> dict[str, StatValue]:
    """An event's own stats, which come first and win, and those that all events of its kind share."""
    return own | shared | own
