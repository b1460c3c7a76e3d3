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
    ZERO,
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

RECENT: Final = 4096

PASSED: Final = -1
UNKNOWN: Final = -2


@kernel
def _read_stat(base: Whole, first: Whole, last: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """A stat as (metadata id, kind, a, b): kind is the field number of its value, 0 where it has none.

    ``a`` holds a number's bits, or ``a`` and ``b`` a span. Where the stat is broken, kind is minus the
    fault's code, ``a`` its detail and ``b`` its position.
    """
    identity, kind, value, behind_value = ZERO, ZERO, ZERO, ZERO
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
def _search_stat(base: Whole, position: Whole, last: Whole, number: Whole) -> tuple[Whole, Whole, Whole, Whole, Whole]:
    """What `_next_stat` returns, for stats of any form."""
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            return a, b, behind, ZERO, ZERO
        if tag == number << 3 | SPAN:
            if a < b and load_byte(base + a) == 8:
                identity, at = read_varint(base, a + 1, b)
                if at > 0:
                    return a, b, behind, identity, at
            return a, b, behind, ZERO, ZERO
        if tag >> 3 == number:
            return number, position, np.int64(-UNEXPECTED_TYPE), ZERO, ZERO
        position = behind
    return np.int64(-1), ZERO, position, ZERO, ZERO


@kernel
def _next_stat(base: Whole, position: Whole, last: Whole, number: Whole) -> tuple[Whole, Whole, Whole, Whole, Whole]:
    """The first field ``number`` from ``position`` on: (a, b, next, early id, position behind the id).

    ``a`` and ``b`` are the stat's span; ``a`` is -1 where none is left. The early id is that of a stat that
    starts with it, as all writers have it; the position behind it is 0 for other stats. Where a field is
    broken ``next`` is minus the fault's code, ``a`` its detail and ``b`` its position.
    """
    # Usual is a stat shorter than 128 bytes that starts with an id below 128; such stats cost half of what others take.
    first = position + 2
    if first < last and load_byte(base + position) == number << 3 | SPAN:
        length = load_byte(base + position + 1)
        is_usual = 2 <= length < 0x80 and first + length <= last and load_byte(base + first) == 8
        if is_usual and load_byte(base + first + 1) < 0x80:
            return first, first + length, first + length, load_byte(base + first + 1), first + 2
    return _search_stat(base, position, last, number)


@kernel
def list_stats(
    fault: Int64,
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    table: IdTable,
    offsets: Int64,
    rows: Int64,
) -> None:
    """Write one row (metadata row, kind, a, b) per stat while they fit.

    Stats are the fields ``number`` of the messages in ``[firsts, lasts)``: those of the i-th are
    ``rows[offsets[i]:offsets[i + 1]]``. Rows beyond the end of ``rows`` are counted in the offsets and not written.
    For references ``a`` is the row of the metadata that is referred to.
    """
    base = np.int64(buffer.ctypes.data)
    count = ZERO
    for message in range(firsts.shape[0]):
        offsets[message] = count
        position, last = firsts[message], lasts[message]
        while position < last:
            a, b, position, _, _ = _next_stat(base, position, last, number)
            if position < 0:
                complain(fault, -position, b, a)
                return
            if a < 0:
                break
            identity, kind, value, behind_value = _read_stat(base, a, b)
            if kind < 0:
                complain(fault, -kind, behind_value, value)
                return
            row = find_row(table, identity)
            if row < 0:
                complain(fault, NO_STAT_METADATA, a, identity)
                return
            if kind == REFERENCE_VALUE:
                referred = find_row(table, value)
                if referred < 0:
                    complain(fault, REFERENCE, a, value)
                    return
                value = referred
            if count < rows.shape[0]:
                rows[count, 0] = row
                rows[count, 1] = kind
                rows[count, 2] = value
                rows[count, 3] = behind_value
            count += 1
    offsets[firsts.shape[0]] = count


@kernel
def integer_columns(
    fault: Int64,
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    chosen: Int64,
    begin: Whole,
    beyond: Whole,
    number: Whole,
    table: IdTable,
    slots_of_small: Int32,
    slots: Int32,
    values: Int64,
    present: Bool,
) -> None:
    """Gather the integer stats asked for, of the messages in ``[firsts, lasts)``: of ``chosen`` rows, all where empty.

    ``slots`` gives a stat metadata row's column, -1 where it is not asked for; ``slots_of_small`` [256] that of each id
    by its byte, `UNKNOWN` where it has no row or more bytes. ``values`` and ``present`` are [columns, n] and written
    from ``begin`` to ``beyond``. The first integer of a name in a message counts.
    """
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    field = number << 3 | SPAN
    has_chosen = chosen.shape[0] > 0
    for event in range(begin, beyond):
        for column in range(values.shape[0]):
            values[column, event] = 0
            present[column, event] = False
        message = chosen[event] if has_chosen else np.int64(event)
        position, last = firsts[message], lasts[message]
        while position < last:
            # Most stats are short, begin with a small id, and are whole numbers where they are asked for.
            while position + 4 < last and load_byte(base + position) == field:
                length = load_byte(base + position + 1)
                at = position + 4
                behind = position + 2 + length
                if length < 2 or length >= 0x80 or behind > last or load_byte(base + position + 2) != 8:
                    break
                slot = np.int64(slots_of_small[np.uintp(load_byte(base + position + 3))])
                if slot >= 0:
                    tag = load_byte(base + at)
                    # To ask whether it is in a tuple would be a call.
                    if length < 4 or (tag != 24 and tag != 32):  # noqa: PLR1714
                        break
                    byte: Whole = np.int64(0x80)
                    value, shift = ZERO, ZERO
                    while byte >= 0x80 and at + 1 < behind and shift < 70:
                        at += 1
                        byte = load_byte(base + at)
                        value |= (byte & 0x7F) << shift
                        shift += 7
                    if byte >= 0x80 or at + 1 != behind:
                        break
                    if not present[slot, event]:
                        values[slot, event] = value
                        present[slot, event] = True
                elif slot != PASSED:
                    break
                position = behind
            if position >= last:
                break
            a, b, position, identity, at = _next_stat(base, position, last, number)
            if position < 0:
                complain(fault, -position, b, a)
                return
            if a < 0:
                break
            kind, value = ZERO, ZERO
            if at == 0:
                identity, kind, value, place = _read_stat(base, a, b)
                if kind < 0:
                    complain(fault, -kind, place, value)
                    return
            index = identity - lowest_id
            row: Whole = np.int64(-1)
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
                _, kind, value, place = _read_stat(base, a, b)
                if kind < 0:
                    complain(fault, -kind, place, value)
                    return
            if kind in (SIGNED, UNSIGNED) and not present[slot, event]:
                values[slot, event] = value
                present[slot, event] = True


@kernel
def _hash(base: Whole, first: Whole, last: Whole) -> Whole:
    """A number below `RECENT` from a text's length, first and last words and some bytes between."""
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
    index = ZERO
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
    fault: Int64,
    buffer: Buffer,
    firsts: Int64,
    lasts: Int64,
    number: Whole,
    table: IdTable,
    wanted: Bool,
    codes: Int32,
    found: Int64,
    by_reference: Int32,
    recent: Int32,
) -> Whole:
    """Gather one text stat: ``wanted`` marks the stat metadata rows of its name; the number of texts found.

    ``codes`` [n], -1 at first, receives rows of ``found`` [n, 3] (kind, a, b). Recurring texts mostly share a
    code: each is compared with the one that last had its hash, so equal texts may still appear twice in
    ``found``. ``by_reference``, one for each row of metadata, and ``recent`` [RECENT] are memory to work in, -1 at
    first.
    """
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    count = ZERO
    for event in range(firsts.shape[0]):
        position, last = firsts[event], lasts[event]
        while position < last:
            a, b, position, identity, at = _next_stat(base, position, last, number)
            if position < 0:
                complain(fault, -position, b, a)
                return count
            if a < 0:
                break
            index = identity - lowest_id
            if at > 0 and 0 <= index < size:
                known = np.int64(direct[np.uintp(index)])
                if known >= 0 and not wanted[np.uintp(known)]:
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
                code: Whole = np.int64(by_reference[value])
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
