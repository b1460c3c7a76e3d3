"""Stats: the named values on planes, events and event metadata, decoded only when asked for."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.mapped import MappedFile
from scopelight.formats.wire import Buffer, checked, text
from scopelight.formats.xspace.lookup import IdTable, rows_of_small_ids
from scopelight.formats.xspace.stats_kernels import (
    BYTES,
    COMPRESSED,
    DOUBLE,
    RECENT,
    REFERENCE_VALUE,
    SIGNED,
    STRING,
    UNKNOWN,
    UNSIGNED,
    integer_columns,
    list_stats,
    text_columns,
)

StatValue = int | float | str | bytes

INFLATED_LIMIT_BYTES: Final = 64 << 20
"""No compressed text may be longer, nor longer than `INFLATION_LIMIT_RATIO` times its bytes + 1 MiB."""
INFLATION_LIMIT_RATIO: Final = 256
INFLATED_BUDGET_BYTES: Final = 256 << 20
"""Nor may the texts that one question brings to light be longer than this together."""
BLOCK_ROWS: Final = 1 << 18
"""Messages that are read together at most."""
SMALL_IDS: Final = 0x80
"""Ids below take one byte."""
MOST_CHANGES: Final = 8
"""From stretch to stretch of the file, for each of them: with more of them its messages are in no order."""


class _Values:
    """Reads the values that one question asks for. Texts that it decompresses share its budget."""

    def __init__(self, file: MappedFile, names: Sequence[str]) -> None:
        self._path = file.path
        # Asked for once: of each text it would take as long as to read it.
        self._buffer = file.bytes
        self._names = names
        self._budget_bytes = INFLATED_BUDGET_BYTES

    def value(self, kind: int, a: int, b: int) -> StatValue:
        if kind == SIGNED:
            return a
        if kind == UNSIGNED:
            return a & 0xFFFFFFFFFFFFFFFF
        if kind == DOUBLE:
            number: float = struct.unpack("<d", struct.pack("<q", a))[0]
            return number
        if kind == BYTES:
            return bytes(self._buffer[a:b])
        return self.text(kind, a, b)

    def text(self, kind: int, a: int, b: int) -> str:
        if kind == REFERENCE_VALUE:
            return self._names[a]
        if kind == COMPRESSED:
            return self._inflated(bytes(self._buffer[a:b]), a).decode("utf-8", "replace")
        return text(self._buffer, a, b)

    def _inflated(self, data: bytes, offset: int) -> bytes:
        ratio_limit_bytes = (1 << 20) + INFLATION_LIMIT_RATIO * len(data)
        limit_bytes = min(INFLATED_LIMIT_BYTES, ratio_limit_bytes, self._budget_bytes)
        stream = zlib.decompressobj(wbits=31)
        try:
            inflated = stream.decompress(data, limit_bytes + 1)
        except zlib.error:
            raise FormatError(
                "a stat's compressed text cannot be decompressed", path=self._path, offset=offset
            ) from None
        if len(inflated) > limit_bytes:
            raise FormatError(
                "a stat's compressed text of {size} bytes grows beyond {limit} bytes",
                path=self._path,
                offset=offset,
                size=len(data),
                limit=limit_bytes,
            )
        if not stream.eof:
            raise FormatError("a stat's compressed text ends before its end", path=self._path, offset=offset)
        self._budget_bytes -= len(inflated)
        return inflated


class StatNames(NamedTuple):
    """A plane's stat metadata: the names by row and the rows by id."""

    names: tuple[str, ...]
    table: IdTable


@attrs.frozen(eq=False, repr=False)
class StatReader:
    """Reads the stats (field ``number``) of messages of one plane."""

    file: MappedFile
    stat_names: StatNames = attrs.field(repr=False)
    number: int

    @property
    def path(self) -> Path:
        """The file that is read."""
        return self.file.path

    @property
    def buffer(self) -> Buffer:
        """The file's bytes, to be read now. Raises `FormatError` where the file became shorter than it was."""
        return self.file.bytes

    def new_values(self) -> _Values:
        """What reads the values of one question."""
        return _Values(self.file, self.stat_names.names)

    def rows(self, firsts: Int64, lasts: Int64) -> tuple[Int64, Int64]:
        """One row (metadata row, kind, a, b) for each stat of the messages in ``[firsts, lasts)``; see `list_stats`."""
        offsets: Int64 = np.zeros(len(firsts) + 1, np.int64)
        capacity = 8 * len(firsts) + 64
        while True:
            rows: Int64 = np.empty((capacity, 4), np.int64)
            table = self.stat_names.table
            checked(self.path, list_stats, self.buffer, firsts, lasts, self.number, table, offsets, rows)
            count = int(offsets[-1])
            if count <= capacity:
                return offsets, rows[:count]
            capacity = count

    def _named(self, first: int, last: int) -> Iterator[tuple[str, int, int, int]]:
        """Name, kind and value (a, b) of each stat of the message in ``[first, last)``."""
        _, rows = self.rows(np.array([first]), np.array([last]))
        return ((self.stat_names.names[row], kind, a, b) for row, kind, a, b in rows.tolist())

    def read(self, first: int, last: int) -> dict[str, StatValue]:
        """All stats of the message in ``[first, last)`` by name.

        The first of a name counts; one without a value is left out.
        """
        values = self.new_values()
        stats: dict[str, StatValue] = {}
        for name, kind, a, b in self._named(first, last):
            if kind and name not in stats:
                stats[name] = values.value(kind, a, b)
        return stats

    def span(self, first: int, last: int, name: str) -> tuple[int, int] | None:
        """Where the bytes or text of the stat ``name`` lie in the file, without reading them."""
        found = ((a, b) for each, kind, a, b in self._named(first, last) if each == name and kind in (BYTES, STRING))
        return next(found, None)


@attrs.frozen(eq=False, repr=False)
class StatTable:
    """The stats of many messages, found and not decoded: those of the i-th are from ``offsets[i]`` to ``[i + 1]``.

    ``name`` are rows of the plane's stat names; ``kind`` is the number of the value's field, 0 where it has none;
    ``value`` a number's bits, the row of the stat name that a reference means, or where a text or bytes begin.
    """

    offsets: Int64
    name: Int64
    kind: Int64
    value: Int64
    _beyond: Int64
    _reader: StatReader

    @property
    def names(self) -> Sequence[str]:
        """The plane's stat names."""
        return self._reader.stat_names.names

    def values(self, rows: Int64) -> Sequence[StatValue]:
        """The decoded values of some stats that have one."""
        values, texts = self._reader.new_values(), self.names
        columns = (self.kind[rows].tolist(), self.value[rows].tolist(), self._beyond[rows].tolist())
        return [
            # The most frequent kinds without a call.
            a if kind == SIGNED else texts[a] if kind == REFERENCE_VALUE else values.value(kind, a, b)
            for kind, a, b in zip(*columns, strict=True)
        ]

    def first_values(self, name: str) -> dict[int, StatValue]:
        """By message that has one the first value of the stats of a name."""
        rows = np.flatnonzero(self.is_called(name) & (self.kind != 0))
        # Backwards, so that the first one stands.
        return dict(zip(self.messages(rows)[::-1].tolist(), self.values(rows[::-1]), strict=True))

    def is_called(self, name: str) -> Bool:
        """Of each stat whether it has a name."""
        wanted: Bool = np.array([each == name for each in self.names], np.bool_)
        called: Bool = wanted[self.name]
        return called

    def messages(self, rows: Int64) -> Int64:
        """Which message each of some stats is of."""
        messages: Int64 = np.searchsorted(self.offsets, rows, side="right") - 1
        return messages


class MessageStats:
    """The stats of many messages of a plane (events, or kinds of events): columns with one entry for each message.

    The messages lie in ``[firsts, lasts)`` of the file, int64[n]; with ``rows`` only those are read, in that order.
    """

    def __init__(self, firsts: Int64, lasts: Int64, reader: StatReader) -> None:
        self._firsts = firsts
        self._lasts = lasts
        self._reader = reader

    def __len__(self) -> int:
        return len(self._firsts)

    @property
    def stat_names(self) -> Sequence[str]:
        """Names of the stats that the plane's messages may have."""
        return self._reader.stat_names.names

    def _spans(self, rows: Int64 | None) -> tuple[Int64, Int64]:
        return (self._firsts, self._lasts) if rows is None else (self._firsts[rows], self._lasts[rows])

    def integer_stats(self, names: Sequence[str], rows: Int64 | None = None) -> dict[str, tuple[Int64, Bool]]:
        """Integer stats by name: (values int64[n], present bool[n]), all in one pass.

        Unsigned values keep their bit pattern. Stats of other types count as absent; absent values are 0.
        """
        column = {name: index for index, name in enumerate(dict.fromkeys(names))}
        slots: Int32 = np.array([column.get(name, -1) for name in self.stat_names], np.int32)
        shape = len(column), len(self) if rows is None else len(rows)
        if not (slots >= 0).any():
            values, present = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        else:
            values, present = np.empty(shape, np.int64), np.empty(shape, np.bool_)
            self._read_integers(rows, slots, values, present)
        return {name: (values[index], present[index]) for name, index in column.items()}

    def _read_integers(self, rows: Int64 | None, slots: Int32, values: Int64, present: Bool) -> None:
        reader, table = self._reader, self._reader.stat_names.table
        row_of_id = rows_of_small_ids(table, SMALL_IDS)
        slots_of_small: Int32 = np.full(256, UNKNOWN, np.int32)
        slots_of_small[:SMALL_IDS] = np.where(row_of_id >= 0, slots[row_of_id], UNKNOWN)
        columns = (table, slots_of_small, slots, values, present)
        everything: Int64 = np.zeros(0, np.int64)
        chosen = everything if rows is None else rows
        firsts, lasts, chosen = (np.ascontiguousarray(each, np.int64) for each in (self._firsts, self._lasts, chosen))

        def read(block: slice) -> None:
            place = (firsts, lasts, chosen, block.start, block.stop, reader.number)
            checked(reader.path, integer_columns, reader.buffer, *place, *columns)

        stretch_bytes = reader.file.stretch_bytes
        if stretch_bytes >= len(reader.buffer):
            read(slice(0, values.shape[1]))
            return
        begins, ends = self._spans(rows)
        blocks = list(_blocks(begins, stretch_bytes))
        for block in blocks:
            read(block)
            if len(blocks) > 1:
                reader.file.forget_pages(int(begins[block].min()), int(ends[block].max()))

    def first_numbers(self, name: str | None = None, rows: Int64 | None = None) -> Float64:
        """The first number among each message's stats, or those of a name, float64[n]; NaN where it has none."""
        table = self.stat_table(rows)
        is_wanted = np.isin(table.kind, (DOUBLE, UNSIGNED, SIGNED))
        if name is not None:
            is_wanted &= table.is_called(name)
        found = np.flatnonzero(is_wanted)
        message, firsts = np.unique(table.messages(found), return_index=True)
        kind, bits = table.kind[found[firsts]], table.value[found[firsts]]
        values: Float64 = np.full(len(table.offsets) - 1, np.nan)
        values[message] = np.select(
            [kind == DOUBLE, kind == UNSIGNED], [bits.view(np.float64), bits.view(np.uint64)], bits
        )
        return values

    def text_stat(self, name: str, rows: Int64 | None = None) -> tuple[Int32, tuple[str, ...]]:
        """A text stat: codes int32[n] (-1 where absent) into the distinct texts.

        Text, references, bytes and compressed text are alike.
        """
        firsts, lasts = self._spans(rows)
        reader = self._reader
        codes: Int32 = np.full(len(firsts), -1, np.int32)
        wanted: Bool = np.array([each == name for each in self.stat_names], np.bool_)
        if not len(firsts) or not wanted.any():
            return codes, ()
        found: Int64 = np.empty((len(firsts), 3), np.int64)
        working = (np.full(len(wanted), -1, np.int32), np.full(RECENT, -1, np.int32))
        columns = (reader.stat_names.table, wanted, codes, found, *working)
        count = checked(reader.path, text_columns, reader.buffer, firsts, lasts, reader.number, *columns)
        values = reader.new_values()
        interned: dict[str, int] = {}
        texts = (values.text(kind, a, b) for kind, a, b in found[:count].tolist())
        # The last place is for rows without a text, whose code is -1.
        final: Int32 = np.array([*(interned.setdefault(text, len(interned)) for text in texts), -1], np.int32)
        return final[codes], tuple(interned)

    def stat_table(self, rows: Int64 | None = None) -> StatTable:
        """All stats that each message has, undecoded."""
        offsets, columns = self._reader.rows(*self._spans(rows))
        name, kind, value, beyond = columns.T
        return StatTable(offsets, name, kind, value, beyond, self._reader)


def _blocks(firsts: Int64, stretch_bytes: int) -> Iterator[slice]:
    """Messages to be read together: of one stretch of the file each, where they lie there in about their order."""
    begins: Int64 = np.arange(0, len(firsts), BLOCK_ROWS)
    if len(firsts) and int(firsts.max()) - int(firsts.min()) > stretch_bytes:
        stretches = firsts // stretch_bytes
        changes = np.flatnonzero(stretches[1:] != stretches[:-1]) + 1
        if len(changes) <= MOST_CHANGES * (int(stretches.max()) - int(stretches.min()) + 1):
            begins = np.union1d(begins, changes)
    for begin, beyond in pairwise([*begins.tolist(), len(firsts)]):
        yield slice(begin, beyond)
