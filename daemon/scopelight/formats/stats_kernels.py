"""Stats of events and of metadata, from wire bytes to columns. Field numbers are those of xplane.proto's XStat."""

from typing import Final

import numpy as np

from scopelight.formats.lookup import IdTable, find_row
from scopelight.formats.wire import (
    NO_STAT_METADATA,
    REFERENCE,
    SPAN,
    UNEXPECTED_TYPE,
    Bool,
    Buffer,
    Int32,
    Int64,
    complain,
    kernel,
    read_field,
)

DOUBLE: Final = 2
UNSIGNED: Final = 3
SIGNED: Final = 4
STRING: Final = 5
BYTES: Final = 6
REFERENCE_VALUE: Final = 7
COMPRESSED: Final = 8

_RECENT: Final = 4096


@kernel
def _read_stat(
    buffer: Buffer, first: int, last: int, table: IdTable, fault: Int64
) -> tuple[int, int, int, int]:
    """A stat as (row of its metadata, kind, a, b): kind is the value's field number, 0 where it has none.

    ``a`` holds a number's bits, or the row referred to; ``a`` and ``b`` a span. The row is -1 where the stat is broken.
    """
    identity = np.int64(0)
    kind, value, behind_value = np.int64(0), np.int64(0), np.int64(0)
    position = first
    while position < last:
        tag, a, b, behind = read_field(buffer, position, last, fault)
        if behind < 0:
            return np.int64(-1), kind, value, behind_value
        if tag == 8:
            identity = a
        elif tag in (24, 32, 56, 17, 42, 50, 66):
            kind, value, behind_value = tag >> 3, a, b
        elif tag >> 3 <= 8:
            complain(fault, UNEXPECTED_TYPE, position, tag >> 3)
            return np.int64(-1), kind, value, behind_value
        position = behind
    row = find_row(table, identity)
    if row < 0:
        complain(fault, NO_STAT_METADATA, first, identity)
    elif kind == REFERENCE_VALUE:
        referred = find_row(table, value)
        if referred < 0:
            complain(fault, REFERENCE, first, value)
            row = np.int64(-1)
        value = referred
    return row, kind, value, behind_value


@kernel
def list_stats(
    buffer: Buffer, first: int, last: int, number: int, table: IdTable, rows: Int64, fault: Int64
) -> int:
    """Write one row (metadata row, kind, a, b) per stat (field ``number``) while they fit; the number of all stats."""
    count = 0
    position = first
    while position < last:
        tag, a, b, behind = read_field(buffer, position, last, fault)
        if behind < 0:
            break
        if tag >> 3 == number:
            if tag & 7 != SPAN:
                complain(fault, UNEXPECTED_TYPE, position, number)
                break
            row, kind, value, behind_value = _read_stat(buffer, a, b, table, fault)
            if row < 0:
                break
            if count < rows.shape[0]:
                rows[count, 0] = row
                rows[count, 1] = kind
                rows[count, 2] = value
                rows[count, 3] = behind_value
            count += 1
        position = behind
    return count


@kernel
def integer_columns(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: int,
    table: IdTable,
    slots: Int32,
    values: Int64,
    present: Bool,
    fault: Int64,
) -> None:
    """Gather the integer stats asked for: ``slots`` gives a stat metadata row's column, -1 where it is not asked for.

    ``values`` and ``present`` are [columns, n]. The first stat of a name in a message counts.
    """
    for index in range(firsts.shape[0]):
        position, last = firsts[index], lasts[index]
        while position < last:
            tag, a, b, behind = read_field(buffer, position, last, fault)
            if behind < 0:
                return
            if tag >> 3 == number:
                if tag & 7 != SPAN:
                    complain(fault, UNEXPECTED_TYPE, position, number)
                    return
                row, kind, value, _ = _read_stat(buffer, a, b, table, fault)
                if row < 0:
                    return
                slot = slots[row]
                if slot >= 0 and kind in (SIGNED, UNSIGNED) and not present[slot, index]:
                    values[slot, index] = value
                    present[slot, index] = True
            position = behind


@kernel
def text_columns(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: int,
    table: IdTable,
    wanted: Int32,
    codes: Int32,
    found: Int64,
    fault: Int64,
) -> int:
    """Gather one text stat: ``wanted`` is 0 for the stat metadata rows of the name, else -1; the number of texts found.

    ``codes`` [n] receives rows of ``found`` [n, 3] (kind, a, b), -1 where absent. Recurring texts mostly share a code:
    each is compared with the one that last had its hash, so equal texts may still appear twice in ``found``.
    """
    count = np.int64(0)
    by_reference = np.full(wanted.shape[0], np.int32(-1))
    recent = np.full(_RECENT, np.int32(-1))
    for index in range(firsts.shape[0]):
        codes[index] = -1
        position, last = firsts[index], lasts[index]
        while position < last:
            tag, a, b, behind = read_field(buffer, position, last, fault)
            if behind < 0:
                return count
            if tag >> 3 == number:
                if tag & 7 != SPAN:
                    complain(fault, UNEXPECTED_TYPE, position, number)
                    return count
                row, kind, value, behind_value = _read_stat(buffer, a, b, table, fault)
                if row < 0:
                    return count
                if wanted[row] >= 0 and kind >= STRING and codes[index] < 0:
                    if kind == REFERENCE_VALUE:
                        code = by_reference[value]
                        if code < 0:
                            by_reference[value] = count
                    else:
                        code = _recall(buffer, kind, value, behind_value, found, recent, count)
                    if code < 0:
                        code = np.int32(count)
                        found[count, 0] = kind
                        found[count, 1] = value
                        found[count, 2] = behind_value
                        count += 1
                    codes[index] = code
            position = behind
    return count


@kernel
def _recall(buffer: Buffer, kind: int, first: int, last: int, found: Int64, recent: Int32, count: int) -> int:
    """The code of the text if it is the last seen with its hash, else -1, and the next code takes its place."""
    length = last - first
    mixed = np.uint64(length)
    step = max(np.int64(1), length >> 5)
    position = first
    while position < last:
        mixed = (mixed ^ np.uint64(buffer[np.uintp(position)])) * np.uint64(1099511628211)
        position += step
    slot = np.int64(mixed >> np.uint64(17)) & (_RECENT - 1)
    code = recent[slot]
    if code >= 0 and found[code, 0] == kind and found[code, 2] - found[code, 1] == length:
        other = found[code, 1]
        same = True
        for index in range(length):
            if buffer[np.uintp(first + index)] != buffer[np.uintp(other + index)]:
                same = False
                break
        if same:
            return code
    recent[slot] = np.int32(count)
    return np.int32(-1)
