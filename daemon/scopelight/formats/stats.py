"""Stats: the named values on planes, events and event metadata, decoded only when asked for."""

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import attrs
import numpy as np

from scopelight.formats.errors import FormatError
from scopelight.formats.lookup import IdTable
from scopelight.formats.stats_kernels import (
    BYTES,
    COMPRESSED,
    DOUBLE,
    REFERENCE_VALUE,
    SIGNED,
    STRING,
    UNSIGNED,
    integer_columns,
    list_stats,
    text_columns,
)
from scopelight.formats.wire import Bool, Buffer, Int32, Int64, new_fault, raise_fault, text

StatValue = int | float | str | bytes

INFLATED_LIMIT_BYTES: Final = 64 << 20
"""No compressed text may be longer, nor longer than `INFLATION_LIMIT_RATIO` times its bytes + 1 MiB."""
INFLATION_LIMIT_RATIO: Final = 256
INFLATED_BUDGET_BYTES: Final = 256 << 20
"""Nor may the texts that one question brings to light be longer than this together."""


class _Inflater:
    """Decompresses the texts of one question within its budget."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._budget_bytes = INFLATED_BUDGET_BYTES

    def inflate(self, data: bytes, offset: int) -> bytes:
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
class StatReader:
    """Reads the stats (field ``number``) of messages of one plane."""

    path: Path
    buffer: Buffer = attrs.field(repr=False)
    stat_names: StatNames = attrs.field(repr=False)
    number: int

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
        inflater = _Inflater(self.path)
        stats: dict[str, StatValue] = {}
        for row, kind, a, b in self._rows(first, last).tolist():
            name = names[row]
            if kind and name not in stats:
                stats[name] = self._value(kind, a, b, inflater)
        return stats

    def span(self, first: int, last: int, name: str) -> tuple[int, int] | None:
        """Where the bytes or text of the stat ``name`` lie in the file, without reading them."""
        names = self.stat_names.names
        for row, kind, a, b in self._rows(first, last).tolist():
            if kind in (BYTES, STRING) and names[row] == name:
                return a, b
        return None

    def _value(self, kind: int, a: int, b: int, inflater: _Inflater) -> StatValue:
        if kind == SIGNED:
            return a
        if kind == UNSIGNED:
            return a & 0xFFFFFFFFFFFFFFFF
        if kind == DOUBLE:
            number: float = struct.unpack("<d", struct.pack("<q", a))[0]
            return number
        if kind == BYTES:
            return bytes(self.buffer[a:b])
        return self._text(kind, a, b, inflater)

    def _text(self, kind: int, a: int, b: int, inflater: _Inflater) -> str:
        if kind == REFERENCE_VALUE:
            return self.stat_names.names[a]
        if kind == COMPRESSED:
            return inflater.inflate(bytes(self.buffer[a:b]), a).decode("utf-8", "replace")
        return text(self.buffer, a, b)

    def integers(self, firsts: Int64, lasts: Int64, names: Sequence[str]) -> dict[str, tuple[Int64, Bool]]:
        """Columns of integer stats over the messages in ``[firsts, lasts)``: values and whether present.

        Unsigned values keep their bit pattern. Stats of other types count as absent; absent values are 0.
        """
        asked = tuple(dict.fromkeys(names))
        column = {name: index for index, name in enumerate(asked)}
        slots: Int32 = np.array([column.get(name, -1) for name in self.stat_names.names], np.int32)
        values: Int64 = np.zeros((len(asked), len(firsts)), np.int64)
        present: Bool = np.zeros((len(asked), len(firsts)), np.bool_)
        if len(firsts) and (slots >= 0).any():
            fault = new_fault()
            integer_columns(
                self.buffer,
                firsts,
                lasts,
                np.int64(self.number),
                self.stat_names.table,
                slots,
                values,
                present,
                fault,
            )
            raise_fault(fault, self.path)
        return {name: (values[index], present[index]) for name, index in column.items()}

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
        inflater = _Inflater(self.path)
        interned: dict[str, int] = {}
        final: Int32 = np.empty(count + 1, np.int32)
        final[count] = -1
        for index in range(count):
            kind, a, b = found[index].tolist()
            final[index] = interned.setdefault(self._text(kind, a, b, inflater), len(interned))
        return final[codes], tuple(interned)
