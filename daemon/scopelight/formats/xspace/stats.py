"""Stats: the named values on planes, events and event metadata, decoded only when asked for."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Float64, Int32, Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.mapped import MappedFile
from scopelight.formats.wire import Buffer, new_fault, raise_fault, text
from scopelight.formats.xspace.lookup import IdTable
from scopelight.formats.xspace.stats_kernels import (
    BYTES,
    COMPRESSED,
    DOUBLE,
    REFERENCE_VALUE,
    SIGNED,
    STRING,
    UNSIGNED,
    first_numbers,
    integer_columns,
    list_stats,
    list_stats_of_many,
    text_columns,
)

StatValue = int | float | str | bytes

INFLATED_LIMIT_BYTES: Final = 64 << 20
"""No compressed text may be longer, nor longer than `INFLATION_LIMIT_RATIO` times its bytes + 1 MiB."""
INFLATION_LIMIT_RATIO: Final = 256
INFLATED_BUDGET_BYTES: Final = 256 << 20
"""Nor may the texts that one question brings to light be longer than this together."""
BLOCK_ROWS: Final = 1 << 18
"""Messages that are read together. Of longer columns the pages of a block are let go before those of the next are
read."""


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
            cause = "a stat's compressed text cannot be decompressed"
            raise FormatError(cause, path=self._path, offset=offset) from None
        if len(inflated) > limit_bytes:
            cause = f"a stat's compressed text of {len(data)} bytes grows beyond {limit_bytes} bytes"
            raise FormatError(cause, path=self._path, offset=offset)
        if not stream.eof:
            cause = "a stat's compressed text ends before its end"
            raise FormatError(cause, path=self._path, offset=offset)
        self._budget_bytes -= len(inflated)
        return inflated


class StatNames(NamedTuple):
    """A plane's stat metadata: the names by row and the rows by id."""

    names: tuple[str, ...]
    table: IdTable


@attrs.frozen(eq=False)
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
    _reader: "StatReader"

    @property
    def names(self) -> Sequence[str]:
        """The plane's stat names."""
        return self._reader.stat_names.names

    def values(self, rows: Int64) -> Sequence[StatValue]:
        """The decoded values of some stats that have one."""
        columns = (self.kind[rows].tolist(), self.value[rows].tolist(), self._beyond[rows].tolist())
        return self._reader.values(*columns)


@attrs.frozen(eq=False)
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

    def _values(self) -> _Values:
        return _Values(self.file, self.stat_names.names)

    def _rows(self, first: int, last: int) -> Int64:
        """One row (metadata row, kind, a, b) for each stat of the message in ``[first, last)``."""
        capacity = 64
        while True:
            rows: Int64 = np.empty((capacity, 4), np.int64)
            fault = new_fault()
            count = int(
                list_stats(
                    self.buffer,
                    np.int64(first),
                    np.int64(last),
                    np.int64(self.number),
                    self.stat_names.table,
                    rows,
                    fault,
                )
            )
            raise_fault(fault, self.path)
            if count <= capacity:
                return rows[:count]
            capacity = count

    def read(self, first: int, last: int) -> dict[str, StatValue]:
        """All stats of the message in ``[first, last)`` by name.

        The first of a name counts; one without a value is left out.
        """
        names = self.stat_names.names
        values = self._values()
        stats: dict[str, StatValue] = {}
        for row, kind, a, b in self._rows(first, last).tolist():
            name = names[row]
            if kind and name not in stats:
                stats[name] = values.value(kind, a, b)
        return stats

    def table(self, firsts: Int64, lasts: Int64) -> StatTable:
        """The stats of the messages in ``[firsts, lasts)``, all that each has."""
        offsets: Int64 = np.zeros(len(firsts) + 1, np.int64)
        capacity = 8 * len(firsts) + 64
        while True:
            rows: Int64 = np.empty((capacity, 4), np.int64)
            fault = new_fault()
            number = np.int64(self.number)
            list_stats_of_many(self.buffer, firsts, lasts, number, self.stat_names.table, offsets, rows, fault)
            raise_fault(fault, self.path)
            count = int(offsets[-1])
            if count <= capacity:
                name, kind, value, beyond = (rows[:count, column] for column in range(4))
                return StatTable(offsets, name, kind, value, beyond, self)
            capacity = count

    def values(self, kinds: Sequence[int], firsts: Sequence[int], lasts: Sequence[int]) -> Sequence[StatValue]:
        """The values of stats that a `StatTable` has found."""
        values, texts = self._values(), self.stat_names.names
        return [
            # The most frequent kinds without a call.
            a if kind == SIGNED else texts[a] if kind == REFERENCE_VALUE else values.value(kind, a, b)
            for kind, a, b in zip(kinds, firsts, lasts, strict=True)
        ]

    def span(self, first: int, last: int, name: str) -> tuple[int, int] | None:
        """Where the bytes or text of the stat ``name`` lie in the file, without reading them."""
        names = self.stat_names.names
        for row, kind, a, b in self._rows(first, last).tolist():
            if kind in (BYTES, STRING) and names[row] == name:
                return a, b
        return None

    def integers(self, firsts: Int64, lasts: Int64, names: Sequence[str]) -> dict[str, tuple[Int64, Bool]]:
        """Columns of integer stats over the messages in ``[firsts, lasts)``: values and whether present.

        Unsigned values keep their bit pattern. Stats of other types count as absent; absent values are 0.
        """
        asked = tuple(dict.fromkeys(names))
        column = {name: index for index, name in enumerate(asked)}
        slots: Int32 = np.array([column.get(name, -1) for name in self.stat_names.names], np.int32)
        values: Int64 = np.zeros((len(asked), len(firsts)), np.int64)
        present: Bool = np.zeros((len(asked), len(firsts)), np.bool_)
        if not (slots >= 0).any():
            return {name: (values[index], present[index]) for name, index in column.items()}
        for begin in range(0, len(firsts), BLOCK_ROWS):
            block = slice(begin, begin + BLOCK_ROWS)
            values[:, block], present[:, block] = self._integers_of_block(
                firsts[block], lasts[block], slots, len(asked)
            )
            if len(firsts) > BLOCK_ROWS:
                self.file.forget_pages(int(firsts[block].min()), int(lasts[block].max()))
        return {name: (values[index], present[index]) for name, index in column.items()}

    def _integers_of_block(self, firsts: Int64, lasts: Int64, slots: Int32, columns: int) -> tuple[Int64, Bool]:
        values: Int64 = np.zeros((columns, len(firsts)), np.int64)
        present: Bool = np.zeros((columns, len(firsts)), np.bool_)
        fault = new_fault()
        number = np.int64(self.number)
        integer_columns(self.buffer, firsts, lasts, number, self.stat_names.table, slots, values, present, fault)
        raise_fault(fault, self.path)
        return values, present

    def first_numbers(self, firsts: Int64, lasts: Int64) -> Float64:
        """The first number among the stats of each message in ``[firsts, lasts)``; NaN where it has none."""
        numbers: Int64 = np.zeros(len(firsts), np.int64)
        kinds: Int64 = np.zeros(len(firsts), np.int64)
        fault = new_fault()
        first_numbers(self.buffer, firsts, lasts, np.int64(self.number), numbers, kinds, fault)
        raise_fault(fault, self.path)
        values: Float64 = np.full(len(firsts), np.nan)
        values[kinds == DOUBLE] = numbers.view(np.float64)[kinds == DOUBLE]
        values[kinds == SIGNED] = numbers[kinds == SIGNED]
        values[kinds == UNSIGNED] = numbers.view(np.uint64)[kinds == UNSIGNED]
        return values

    def texts(self, firsts: Int64, lasts: Int64, name: str) -> tuple[Int32, tuple[str, ...]]:
        """A column of a text stat over the messages in ``[firsts, lasts)``.

        Codes (-1 where absent) into the distinct texts.
        """
        codes: Int32 = np.full(len(firsts), -1, np.int32)
        wanted: Bool = np.array([each == name for each in self.stat_names.names], np.bool_)
        if not len(firsts) or not wanted.any():
            return codes, ()
        found: Int64 = np.empty((len(firsts), 3), np.int64)
        fault = new_fault()
        count = int(
            text_columns(
                self.buffer,
                firsts,
                lasts,
                np.int64(self.number),
                self.stat_names.table,
                wanted,
                codes,
                found,
                fault,
            )
        )
        raise_fault(fault, self.path)
        values = self._values()
        interned: dict[str, int] = {}
        final: Int32 = np.empty(count + 1, np.int32)
        final[count] = -1
        for index in range(count):
            kind, a, b = found[index].tolist()
            final[index] = interned.setdefault(values.text(kind, a, b), len(interned))
        return final[codes], tuple(interned)
