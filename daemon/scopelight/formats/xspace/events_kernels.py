"""Lines, events and metadata maps of an XSpace, from wire bytes to columns.

Tags are those of xplane.proto: field number << 3 | wire type.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.

from typing import Final, NamedTuple

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.formats.wire import (
    LARGEST,
    NEGATIVE_DURATION,
    NO_EVENT_METADATA,
    TIME_OVERFLOW,
    UNEXPECTED_TYPE,
    ZERO,
    Buffer,
    Whole,
    complain,
    load_byte,
    read_field,
    read_varint,
)
from scopelight.formats.xspace.lookup import IdTable, find_row

ENTRY_KEY: Final = 0
ENTRY_BODY: Final = 1
ENTRY_NAME: Final = 3
ENTRY_DISPLAY_NAME: Final = 5
ENTRY_COLUMNS: Final = 7


class LineHeader(NamedTuple):
    """What a line says before and between its events; a name is a span of the file."""

    id: Whole
    name: tuple[Whole, Whole]
    display_name: tuple[Whole, Whole]
    timestamp_ns: Whole
    duration_ps: Whole
    events_count: Whole
    has_times: bool


@kernel
def read_entries(fault: Int64, buffer: Buffer, spans: Int64, has_display: bool, columns: Int64) -> None:
    """Read the map entries {key 1, value 2} in ``spans`` [n, 2] into ``columns`` [ENTRY_COLUMNS, n].

    Spans (body, name, display name) take two columns each. The value's own id is not looked
    at: the key is what events name. ``has_display`` tells event metadata from stat metadata.
    """
    base = np.int64(buffer.ctypes.data)
    for row in range(spans.shape[0]):
        position, last = spans[row, 0], spans[row, 1]
        while position < last:
            tag, a, b, behind = read_field(base, position, last)
            if behind < 0:
                complain(fault, -behind, b, a)
                return
            if tag == 8:
                columns[ENTRY_KEY, row] = a
            elif tag == 18:
                columns[ENTRY_BODY, row] = a
                columns[ENTRY_BODY + 1, row] = b
            elif tag >> 3 <= 2:
                complain(fault, UNEXPECTED_TYPE, position, tag >> 3)
                return
            position = behind
        position, last = columns[ENTRY_BODY, row], columns[ENTRY_BODY + 1, row]
        while position < last:
            tag, a, b, behind = read_field(base, position, last)
            if behind < 0:
                complain(fault, -behind, b, a)
                return
            number = tag >> 3
            if tag == 18:
                columns[ENTRY_NAME, row] = a
                columns[ENTRY_NAME + 1, row] = b
            elif tag == 34 and has_display:
                columns[ENTRY_DISPLAY_NAME, row] = a
                columns[ENTRY_DISPLAY_NAME + 1, row] = b
            elif number == 2 or (number == 1 and tag != 8) or (has_display and number in (3, 4) and tag != 26):
                complain(fault, UNEXPECTED_TYPE, position, number)
                return
            position = behind


@kernel
def _next_event(base: Whole, position: Whole, last: Whole) -> tuple[Whole, Whole, Whole, Whole]:
    """What `read_field` returns: at once where it is an event shorter than 128 bytes, as most fields of a line are."""
    first = position + 2
    if first <= last and load_byte(base + position) == 34:
        length = load_byte(base + position + 1)
        if length < 0x80 and length <= last - first:
            return np.int64(34), first, first + length, first + length
    return read_field(base, position, last)


@kernel
def _read_event(base: Whole, first: Whole, last: Whole) -> tuple[Whole, Whole, Whole, Whole, bool]:
    """An event: metadata id, offset_ps, duration_ps, where its stats begin, and whether it has a position in time.

    An aggregated event (field 5) has none. Stats begin at ``last`` where there are none, at -1 where the event is
    broken: `_complain_of_event` says how.
    """
    metadata_id, offset_ps, duration_ps = ZERO, ZERO, ZERO
    stats_first = last
    timed = True
    at = first
    while at < last:
        tag = load_byte(base + at)
        value, behind = read_varint(base, at + 1, last)
        if tag == 34 and behind > 0 and 0 <= value <= last - behind:
            stats_first = min(stats_first, at)
            behind += value
            # Stats follow stats, and most are shorter than 128 bytes.
            while behind + 1 < last and load_byte(base + behind) == 34:
                length = load_byte(base + behind + 1)
                if length >= 0x80 or length > last - behind - 2:
                    break
                behind += length + 2
        elif tag == 8 and behind > 0:
            metadata_id = value
        elif tag == 16 and behind > 0:
            offset_ps = value
            timed = True
        elif tag == 24 and behind > 0:
            duration_ps = value
        elif tag == 40 and behind > 0:
            timed = False
        else:
            tag, _, _, behind = read_field(base, at, last)
            if behind < 0 or tag >> 3 <= 5:
                return metadata_id, offset_ps, duration_ps, np.int64(-1), False
        at = behind
    return metadata_id, offset_ps, duration_ps, stats_first, timed


@kernel
def _complain_of_event(fault: Int64, base: Whole, first: Whole, last: Whole) -> None:
    """Note what is wrong with an event that `_read_event` finds broken."""
    at = first
    while at < last:
        tag, a, b, behind = read_field(base, at, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            return
        if tag >> 3 <= 5 and tag not in (8, 16, 24, 34, 40):
            complain(fault, UNEXPECTED_TYPE, at, tag >> 3)
            return
        at = behind


@kernel
def _start(base_ps: Whole, offset_ps: Whole, duration_ps: Whole) -> tuple[Whole, Whole]:
    """When an event starts, and the code of what is wrong with its times, 0 where nothing is."""
    start_ps = base_ps + offset_ps
    if duration_ps < 0:
        return start_ps, NEGATIVE_DURATION
    overflows = ((base_ps ^ start_ps) & (offset_ps ^ start_ps)) < 0
    if overflows or start_ps > LARGEST - duration_ps:
        return start_ps, TIME_OVERFLOW
    return start_ps, 0


@kernel
def scan_line(fault: Int64, buffer: Buffer, first: Whole, last: Whole) -> LineHeader:
    """Read a line's header and count its events without reading them; the first ones up to one that has a time."""
    base = np.int64(buffer.ctypes.data)
    identity, timestamp_ns, duration_ps, events = ZERO, ZERO, ZERO, ZERO
    name = display_name = (ZERO, ZERO)
    has_times = False
    position = first
    while position < last:
        tag, a, b, behind = _next_event(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        if tag == 34:
            events += 1
            has_times = has_times or _read_event(base, a, b)[4]
        elif tag == 8:
            identity = a
        elif tag == 18:
            name = (a, b)
        elif tag == 24:
            timestamp_ns = a
        elif tag == 72:
            duration_ps = a
        elif tag == 90:
            display_name = (a, b)
        elif tag >> 3 <= 4 or tag >> 3 == 9 or tag >> 3 == 11:
            complain(fault, UNEXPECTED_TYPE, position, tag >> 3)
            break
        position = behind
    return LineHeader(identity, name, display_name, timestamp_ns, duration_ps, events, has_times)


@kernel
def decode_events(
    fault: Int64,
    buffer: Buffer,
    position: Whole,
    pause: Whole,
    last: Whole,
    count: Whole,
    base_ps: Whole,
    table: IdTable,
    metadata: Int32,
    times: Int64,
) -> tuple[Whole, Whole]:
    """Decode the events of a line that have a position in time, up to one that begins at ``pause`` or behind it.

    ``count`` of them are decoded already, before ``position``. Their number then, and where to go on: ``last`` at the
    end of the line, and wherever there is no more to decode.

    ``metadata`` [n] receives rows of the event metadata, ``times`` [4, n]: start_ps, duration_ps, and the
    span in the file that holds the event's stats; with [2, n] only the first two. There is room for all events of the
    line, aggregated ones included.
    """
    has_spans = times.shape[0] > 2
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    while position < pause:
        tag, a, b, behind = _next_event(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        if tag == 34:
            if count >= metadata.shape[0]:
                return count, last
            metadata_id, offset_ps, duration_ps, stats_first, timed = _read_event(base, a, b)
            if stats_first < 0:
                _complain_of_event(fault, base, a, b)
                break
            index = metadata_id - lowest_id
            row: Whole = np.int64(-1)
            if 0 <= index < size:
                row = np.int64(direct[np.uintp(index)])
            elif size == 0:
                row = find_row(table, metadata_id)
            if row < 0:
                complain(fault, NO_EVENT_METADATA, position, metadata_id)
                break
            if timed:
                start_ps, wrong = _start(base_ps, offset_ps, duration_ps)
                if wrong:
                    complain(fault, wrong, position, duration_ps)
                    break
                metadata[count] = row
                times[0, count] = start_ps
                times[1, count] = duration_ps
                if has_spans:
                    times[2, count] = stats_first
                    times[3, count] = b
                count += 1
        position = behind
    return count, position


@kernel
def scan_span(
    fault: Int64,
    buffer: Buffer,
    first: Whole,
    last: Whole,
    base_ps: Whole,
    stride: Whole,
    table: IdTable,
    sampled: Int32,
) -> tuple[Whole, Whole, Whole, Whole]:
    """First start, last end and number of a line's timed events, without columns of them; how many were sampled.

    ``sampled`` receives the row of the event metadata (-1: none) of every ``stride``-th one, while there is room.
    """
    base = np.int64(buffer.ctypes.data)
    first_ps, last_ps = LARGEST, -LARGEST
    count, samples, next_sample = ZERO, ZERO, ZERO
    position = first
    while position < last:
        tag, a, b, behind = _next_event(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        if tag == 34:
            metadata_id, offset_ps, duration_ps, stats_first, timed = _read_event(base, a, b)
            if stats_first < 0:
                _complain_of_event(fault, base, a, b)
                break
            if timed:
                start_ps, wrong = _start(base_ps, offset_ps, duration_ps)
                if wrong:
                    complain(fault, wrong, position, duration_ps)
                    break
                first_ps = min(first_ps, start_ps)
                last_ps = max(last_ps, start_ps + duration_ps)
                if count >= next_sample and samples < sampled.shape[0]:
                    sampled[samples] = find_row(table, metadata_id)
                    samples += 1
                    next_sample += stride
                count += 1
        position = behind
    return first_ps, last_ps, count, samples


@kernel
def next_events(buffer: Buffer, position: Whole, last: Whole, passed: Whole, found: Int64) -> tuple[Whole, Whole]:
    """Write metadata id and span of a line's next timed events into ``found`` [3, n], those behind ``passed`` others.

    How many there were, and where to go on. For lines that were decoded without a fault.
    """
    base = np.int64(buffer.ctypes.data)
    count = ZERO
    while position < last and count < found.shape[1]:
        tag, a, b, behind = _next_event(base, position, last)
        if behind < 0:
            return count, last
        position = behind
        if tag == 34:
            metadata_id, _, _, _, timed = _read_event(base, a, b)
            if timed and passed:
                passed -= 1
            elif timed:
                found[0, count] = metadata_id
                found[1, count] = a
                found[2, count] = b
                count += 1
    return count, position


@kernel
def find_firsts(metadata: Int32, firsts: Int64) -> None:
    """Write the first event of each row of the metadata, where ``firsts`` is -1."""
    for event in range(metadata.shape[0]):
        if firsts[metadata[event]] < 0:
            firsts[metadata[event]] = event


@kernel
def are_in_order(start_ps: Int64, duration_ps: Int64) -> bool:
    """Whether events stand by start, and those that end later first."""
    for event in range(1, start_ps.shape[0]):
        before = start_ps[event - 1]
        if start_ps[event] < before:
            return False
        if start_ps[event] == before and duration_ps[event] > duration_ps[event - 1]:
            return False
    return True
