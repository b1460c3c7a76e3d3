"""Stats of events and of metadata, from wire bytes to columns.

Field numbers and tags (field number << 3 | wire type) are those of xplane.proto's XStat.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.
# ruff: noqa: PLR0912, PLR0915

from typing import Final

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.formats.wire import (
    NO_STAT_METADATA,
    REFERENCE,
    SPAN,
    UNEXPECTED_TYPE,
    Buffer,
    Whole,
    complain,
    load_byte,
    load_word,
    read_field,
    read_varint,
)
from scopelight.formats.xspace.lookup import IdTable, find_row

DOUBLE: Final = 2
UNSIGNED: Final = 3
SIGNED: Final = 4
STRING: Final = 5
BYTES: Final = 6
REFERENCE_VALUE: Final = 7
COMPRESSED: Final = 8

_RECENT: Final = 4096


@kernel
def _read_stat(base: Whole, first: Whole, last: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """A stat as (metadata id, kind, a, b): kind is the field number of its value, 0 where it has none.

    ``a`` holds a number's bits, or ``a`` and ``b`` a span. Where the stat is broken, kind is minus the
    fault's code, ``a`` its detail and ``b`` its position.
    """
    identity, kind, value, behind_value = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            return identity, behind, a, b
        if tag == 8:
            identity = a
        elif tag in (24, 32, 56, 17, 42, 50, 66):
            kind, value, behind_value = tag >> 3, a, b
        elif tag >> 3 <= 8:
            return identity, np.int64(-UNEXPECTED_TYPE), tag >> 3, position
        position = behind
    return identity, kind, value, behind_value


@kernel
def _end_of_short_stat(base: Whole, position: Whole, last: Whole, number: Whole) -> Whole:
    """The position behind a stat of the usual form, 0 if it is of another.

    Usual is a stat shorter than 128 bytes that starts with an id below 128; such stats cost half of what
    `_next_stat` takes.
    """
    first = position + 2
    if first >= last or load_byte(base + position) != number << 3 | SPAN:
        return np.int64(0)
    length = load_byte(base + position + 1)
    behind = first + length
    if length < 2 or length >= 0x80 or behind > last:
        return np.int64(0)
    if load_byte(base + first) != 8 or load_byte(base + first + 1) >= 0x80:
        return np.int64(0)
    return behind


@kernel
def _next_stat(base: Whole, position: Whole, last: Whole, number: Whole) -> tuple[Whole, Whole, Whole, Whole, Whole]:
    """The first field ``number`` from ``position`` on: (a, b, next, early id, position behind the id).

    ``a`` and ``b`` are the stat's span; ``a`` is -1 where none is left. The early id is that of a stat that
    starts with it, as all writers have it; the position behind it is 0 for other stats. Where a field is
    broken ``next`` is minus the fault's code, ``a`` its detail and ``b`` its position.
    """
    zero = np.int64(0)
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            return a, b, behind, zero, zero
        if tag == number << 3 | SPAN:
            if a < b and load_byte(base + a) == 8:
                identity, at = read_varint(base, a + 1, b)
                if at > 0:
                    return a, b, behind, identity, at
            return a, b, behind, zero, zero
        if tag >> 3 == number:
            return number, position, np.int64(-UNEXPECTED_TYPE), zero, zero
        position = behind
    return np.int64(-1), zero, position, zero, zero


@kernel
def list_stats(
    buffer: Buffer, first: Whole, last: Whole, number: Whole, table: IdTable, rows: Int64, fault: Int64
) -> Whole:
    """Write one row (metadata row, kind, a, b) per stat while they fit; the number of all stats.

    Stats are the fields ``number`` of the message in ``[first, last)``.
    For references ``a`` is the row of the metadata that is referred to.
    """
    base = np.int64(buffer.ctypes.data)
    count = np.int64(0)
    position = first
    while position < last:
        a, b, position, _, _ = _next_stat(base, position, last, number)
        if position < 0:
            complain(fault, -position, b, a)
            break
        if a < 0:
            break
        identity, kind, value, behind_value = _read_stat(base, a, b)
        if kind < 0:
            complain(fault, -kind, behind_value, value)
            break
        row = find_row(table, identity)
        if row < 0:
            complain(fault, NO_STAT_METADATA, a, identity)
            break
        if kind == REFERENCE_VALUE:
            referred = find_row(table, value)
            if referred < 0:
                complain(fault, REFERENCE, a, value)
                break
            value = referred
        if count < rows.shape[0]:
            rows[count, 0] = row
            rows[count, 1] = kind
            rows[count, 2] = value
            rows[count, 3] = behind_value
        count += 1
    return count


@kernel
def list_stats_of_many(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    table: IdTable,
    offsets: Int64,
    rows: Int64,
    fault: Int64,
) -> None:
    """The same as `list_stats` for many messages: those of the i-th are ``rows[offsets[i]:offsets[i + 1]]``.

    Rows beyond the end of ``rows`` are counted in the offsets and not written.
    """
    count = np.int64(0)
    for message in range(firsts.shape[0]):
        offsets[message] = count
        rest = rows[min(count, np.int64(rows.shape[0])) :]
        count += list_stats(buffer, firsts[message], lasts[message], number, table, rest, fault)
        if fault[0]:
            return
    offsets[firsts.shape[0]] = count


@kernel
def integer_columns(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    table: IdTable,
    slots: Int32,
    values: Int64,
    present: Bool,
    fault: Int64,
) -> None:
    """Gather the integer stats asked for.

    ``slots`` gives a stat metadata row's column, -1 where it is not asked for.
    ``values`` and ``present`` are [columns, n]. The first integer of a name in a message counts.
    """
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    for event in range(firsts.shape[0]):
        position, last = firsts[event], lasts[event]
        while position < last:
            b = _end_of_short_stat(base, position, last, number)
            if b > 0:
                a, at = position + 2, position + 4
                identity = load_byte(base + a + 1)
                position = b
            else:
                a, b, position, identity, at = _next_stat(base, position, last, number)
                if position < 0:
                    complain(fault, -position, b, a)
                    return
                if a < 0:
                    break
            kind, value = np.int64(0), np.int64(0)
            if at == 0:
                identity, kind, value, place = _read_stat(base, a, b)
                if kind < 0:
                    complain(fault, -kind, place, value)
                    return
            index = identity - lowest_id
            row = np.int64(-1)
            if 0 <= index < size:
                row = np.int64(direct[np.uintp(index)])
            elif size == 0:
                row = find_row(table, identity)
            if row < 0:
                complain(fault, NO_STAT_METADATA, a, identity)
                return
            slot = np.int64(slots[np.uintp(row)])
            if slot < 0:
                continue
            if at > 0:
                tag = load_byte(base + at) if at < b else np.int64(0)
                value, behind = read_varint(base, at + 1, b)
                kind = tag >> 3
                if tag not in (24, 32) or behind != b:
                    _, kind, value, place = _read_stat(base, a, b)
                    if kind < 0:
                        complain(fault, -kind, place, value)
                        return
            if kind in (SIGNED, UNSIGNED) and not present[slot, event]:
                values[slot, event] = value
                present[slot, event] = True


@kernel
def first_numbers(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    numbers: Int64,
    kinds: Int64,
    fault: Int64,
) -> None:
    """Gather the first number among the stats of each message: its bits into ``numbers``, what they are into ``kinds``.

    A kind is DOUBLE, SIGNED or UNSIGNED, 0 where a message has no number.
    """
    base = np.int64(buffer.ctypes.data)
    for event in range(firsts.shape[0]):
        position, last = firsts[event], lasts[event]
        while position < last:
            a, b, position, _, _ = _next_stat(base, position, last, number)
            if position < 0:
                complain(fault, -position, b, a)
                return
            if a < 0:
                break
            _, kind, value, place = _read_stat(base, a, b)
            if kind < 0:
                complain(fault, -kind, place, value)
                return
            if kind in (DOUBLE, SIGNED, UNSIGNED):
                numbers[event] = value
                kinds[event] = kind
                break


@kernel
def _hash(base: Whole, first: Whole, last: Whole) -> Whole:
    """A number below `_RECENT` from a text's length, first and last words and some bytes between."""
    length = last - first
    mixed = np.uint64(length)
    if length >= 8:
        mixed ^= np.uint64(load_word(base + first)) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= np.uint64(load_word(base + last - 8)) * np.uint64(0xC2B2AE3D27D4EB4F)
        mixed ^= np.uint64(load_word(base + ((first + last) >> 1) - 4)) * np.uint64(0x165667B19E3779F9)
    else:
        for position in range(first, last):
            mixed = (mixed ^ np.uint64(load_byte(base + position))) * np.uint64(0x9E3779B97F4A7C15)
    mixed *= np.uint64(0xD6E8FEB86659FD93)
    return np.int64(mixed >> np.uint64(52))


@kernel
def _same(base: Whole, one: Whole, other: Whole, length: Whole) -> bool:
    """Whether two stretches of the file hold the same bytes."""
    index = np.int64(0)
    while index + 8 <= length:
        if load_word(base + one + index) != load_word(base + other + index):
            return False
        index += 8
    while index < length:
        if load_byte(base + one + index) != load_byte(base + other + index):
            return False
        index += 1
    return True


@kernel
def text_columns(
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    table: IdTable,
    wanted: Bool,
    codes: Int32,
    found: Int64,
    fault: Int64,
) -> Whole:
    """Gather one text stat: ``wanted`` marks the stat metadata rows of its name; the number of texts found.

    ``codes`` [n], -1 at first, receives rows of ``found`` [n, 3] (kind, a, b). Recurring texts mostly share a
    code: each is compared with the one that last had its hash, so equal texts may still appear twice in
    ``found``.
    """
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    count = np.int64(0)
    by_reference = np.full(wanted.shape[0], np.int32(-1))
    recent = np.full(_RECENT, np.int32(-1))
    for event in range(firsts.shape[0]):
        position, last = firsts[event], lasts[event]
        while position < last:
            b = _end_of_short_stat(base, position, last, number)
            if b > 0:
                a, at = position + 2, position + 4
                identity = load_byte(base + a + 1)
                position = b
            else:
                a, b, position, identity, at = _next_stat(base, position, last, number)
                if position < 0:
                    complain(fault, -position, b, a)
                    return count
                if a < 0:
                    break
            index = identity - lowest_id
            if at > 0 and 0 <= index < size:
                row = np.int64(direct[np.uintp(index)])
                if row >= 0 and not wanted[np.uintp(row)]:
                    continue
            identity, kind, value, behind_value = _read_stat(base, a, b)
            if kind < 0:
                complain(fault, -kind, behind_value, value)
                return count
            row = find_row(table, identity)
            if row < 0:
                complain(fault, NO_STAT_METADATA, a, identity)
                return count
            if not wanted[row] or kind < STRING or codes[event] >= 0:
                continue
            if kind == REFERENCE_VALUE:
                referred = find_row(table, value)
                if referred < 0:
                    complain(fault, REFERENCE, a, value)
                    return count
                value = referred
                code = np.int64(by_reference[value])
                if code < 0:
                    by_reference[value] = count
            else:
                length = behind_value - value
                slot = _hash(base, value, behind_value)
                code = np.int64(recent[slot])
                if code >= 0 and not (
                    found[code, 0] == kind
                    and found[code, 2] - found[code, 1] == length
                    and _same(base, value, found[code, 1], length)
                ):
                    code = np.int64(-1)
                if code < 0:
                    recent[slot] = count
            if code < 0:
                code = count
                found[code, 0] = kind
                found[code, 1] = value
                found[code, 2] = behind_value
                count += 1
            codes[event] = code
    return count
