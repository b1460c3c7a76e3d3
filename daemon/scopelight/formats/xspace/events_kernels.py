"""Lines, events and metadata maps of an XSpace, from wire bytes to columns.

Tags are those of xplane.proto: field number << 3 | wire type.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.
# ruff: noqa: PLR0912, PLR0915

from typing import Final

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.formats.wire import (
    NEGATIVE_DURATION,
    NO_EVENT_METADATA,
    TIME_OVERFLOW,
    UNEXPECTED_TYPE,
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
ENTRY_METADATA: Final = 7
ENTRY_COLUMNS: Final = 9

LINE_ID: Final = 0
LINE_NAME: Final = 1
LINE_TIMESTAMP_NS: Final = 3
LINE_DURATION_PS: Final = 4
LINE_DISPLAY_NAME: Final = 5
LINE_EVENTS: Final = 7
LINE_HAS_TIMES: Final = 8
LINE_COLUMNS: Final = 9

SPAN_FIRST_PS: Final = 0
SPAN_LAST_PS: Final = 1
SPAN_EVENTS: Final = 2
SPAN_COLUMNS: Final = 3


@kernel
def read_entries(buffer: Buffer, spans: Int64, has_display: bool, columns: Int64, fault: Int64) -> None:
    """Read the map entries {key 1, value 2} in ``spans`` [n, 2] into ``columns`` [ENTRY_COLUMNS, n].

    Spans (body, name, display name, opaque metadata) take two columns each. The value's own id is not looked
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
            elif tag == 26 and has_display:
                columns[ENTRY_METADATA, row] = a
                columns[ENTRY_METADATA + 1, row] = b
            elif number == 2 or (number == 1 and tag != 8) or (has_display and number in (3, 4)):
                complain(fault, UNEXPECTED_TYPE, position, number)
                return
            position = behind


@kernel
def _has_time(base: Whole, first: Whole, last: Whole) -> bool:
    """Whether the event has a position in time: an aggregated one (field 5) has none."""
    timed = True
    position = first
    while position < last:
        tag, _, _, behind = read_field(base, position, last)
        if behind < 0:
            return False
        if tag == 16:
            timed = True
        elif tag == 40:
            timed = False
        position = behind
    return timed


@kernel
def scan_line(buffer: Buffer, first: Whole, last: Whole, line: Int64, fault: Int64) -> None:
    """Read a line's header into ``line`` [LINE_COLUMNS] and count its events without reading them.

    LINE_HAS_TIMES is 1 if any event has a position in time.
    """
    base = np.int64(buffer.ctypes.data)
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            return
        if tag == 34:
            line[LINE_EVENTS] += 1
            if line[LINE_HAS_TIMES] == 0 and _has_time(base, a, b):
                line[LINE_HAS_TIMES] = 1
        elif tag == 8:
            line[LINE_ID] = a
        elif tag == 18:
            line[LINE_NAME] = a
            line[LINE_NAME + 1] = b
        elif tag == 24:
            line[LINE_TIMESTAMP_NS] = a
        elif tag == 72:
            line[LINE_DURATION_PS] = a
        elif tag == 90:
            line[LINE_DISPLAY_NAME] = a
            line[LINE_DISPLAY_NAME + 1] = b
        elif tag >> 3 <= 4 or tag >> 3 == 9 or tag >> 3 == 11:
            complain(fault, UNEXPECTED_TYPE, position, tag >> 3)
            return
        position = behind


@kernel
def decode_events(
    buffer: Buffer,
    first: Whole,
    last: Whole,
    base_ps: Whole,
    table: IdTable,
    metadata: Int32,
    times: Int64,
    fault: Int64,
) -> Whole:
    """Decode the events of a line that have a position in time; their number.

    ``metadata`` [n] receives rows of the event metadata, ``times`` [4, n]: start_ps, duration_ps, and the
    span in the file that holds the event's stats; with [2, n] only the first two. There is room for all events of the
    line, aggregated ones included.
    """
    has_spans = times.shape[0] > 2
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    count = np.int64(0)
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        if tag != 34:
            position = behind
            continue
        if count >= metadata.shape[0]:
            break
        metadata_id, offset_ps, duration_ps = np.int64(0), np.int64(0), np.int64(0)
        stats_first = b
        timed = True
        at = a
        while at < b:
            tag = load_byte(base + at)
            value, behind = read_varint(base, at + 1, b)
            if tag == 34 and behind > 0 and 0 <= value <= b - behind:
                stats_first = min(stats_first, at)
                at = behind + value
            elif tag == 8 and behind > 0:
                metadata_id = value
                at = behind
            elif tag == 16 and behind > 0:
                offset_ps = value
                timed = True
                at = behind
            elif tag == 24 and behind > 0:
                duration_ps = value
                at = behind
            elif tag == 40 and behind > 0:
                timed = False
                at = behind
            else:
                tag, detail, place, behind = read_field(base, at, b)
                if behind < 0:
                    complain(fault, -behind, place, detail)
                    return count
                if tag >> 3 <= 5:
                    complain(fault, UNEXPECTED_TYPE, at, tag >> 3)
                    return count
                at = behind
        index = metadata_id - lowest_id
        row = np.int64(-1)
        if 0 <= index < size:
            row = np.int64(direct[np.uintp(index)])
        elif size == 0:
            row = find_row(table, metadata_id)
        if row < 0:
            complain(fault, NO_EVENT_METADATA, position, metadata_id)
            break
        if duration_ps < 0:
            complain(fault, NEGATIVE_DURATION, position, duration_ps)
            break
        if timed:
            start_ps = base_ps + offset_ps
            overflows = ((base_ps ^ start_ps) & (offset_ps ^ start_ps)) < 0
            if overflows or start_ps > np.int64(0x7FFFFFFFFFFFFFFF) - duration_ps:
                complain(fault, TIME_OVERFLOW, position, 0)
                break
            metadata[count] = row
            times[0, count] = start_ps
            times[1, count] = duration_ps
            if has_spans:
                times[2, count] = stats_first
                times[3, count] = b
            count += 1
        position = b
    return count


@kernel
def scan_span(
    buffer: Buffer,
    first: Whole,
    last: Whole,
    base_ps: Whole,
    stride: Whole,
    table: IdTable,
    span: Int64,
    sampled: Int32,
    fault: Int64,
) -> Whole:
    """Find how far a line's timed events reach, without making columns of them; how many of them were sampled.

    ``span`` [SPAN_COLUMNS] receives the first start, the last end and the number of timed events. ``sampled``
    receives the row of the event metadata (-1: none) of every ``stride``-th one, while there is room.
    """
    base = np.int64(buffer.ctypes.data)
    first_ps, last_ps = np.int64(0x7FFFFFFFFFFFFFFF), np.int64(-0x7FFFFFFFFFFFFFFF)
    count, samples, next_sample = np.int64(0), np.int64(0), np.int64(0)
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        position = behind
        if tag != 34:
            continue
        metadata_id, offset_ps, duration_ps = np.int64(0), np.int64(0), np.int64(0)
        timed = True
        at = a
        while at < b:
            tag = load_byte(base + at)
            if tag in (8, 16, 24):
                value, after = read_varint(base, at + 1, b)
                if after < 0:
                    complain(fault, -after, at, 0)
                    return samples
                if tag == 8:
                    metadata_id = value
                elif tag == 16:
                    offset_ps = value
                    timed = True
                else:
                    duration_ps = value
            else:
                tag, detail, place, after = read_field(base, at, b)
                if after < 0:
                    complain(fault, -after, place, detail)
                    return samples
                if tag == 40:
                    timed = False
            at = after
        if duration_ps < 0:
            complain(fault, NEGATIVE_DURATION, a, duration_ps)
            break
        if not timed:
            continue
        start_ps = base_ps + offset_ps
        overflows = ((base_ps ^ start_ps) & (offset_ps ^ start_ps)) < 0
        if overflows or start_ps > np.int64(0x7FFFFFFFFFFFFFFF) - duration_ps:
            complain(fault, TIME_OVERFLOW, a, 0)
            break
        first_ps = min(first_ps, start_ps)
        last_ps = max(last_ps, start_ps + duration_ps)
        if count >= next_sample and samples < sampled.shape[0]:
            sampled[samples] = find_row(table, metadata_id)
            samples += 1
            next_sample += stride
        count += 1
    span[SPAN_FIRST_PS] = first_ps
    span[SPAN_LAST_PS] = last_ps
    span[SPAN_EVENTS] = count
    return samples


@kernel
def find_event(buffer: Buffer, first: Whole, last: Whole, wanted: Whole, found: Int64) -> None:
    """Find the timed event number ``wanted`` of a line, in the file's order: its metadata id and its own span.

    ``found`` [3] stays as it is where there is none. For lines that were decoded without a fault.
    """
    base = np.int64(buffer.ctypes.data)
    count = np.int64(0)
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            return
        position = behind
        if tag != 34 or not _has_time(base, a, b):
            continue
        if count == wanted:
            found[1], found[2] = a, b
            at = a
            while at < b:
                tag, value, _, after = read_field(base, at, b)
                if after < 0:
                    return
                if tag == 8:
                    found[0] = value
                at = after
            return
        count += 1


@kernel
def next_events(buffer: Buffer, position: Whole, last: Whole, firsts: Int64, lasts: Int64) -> tuple[int, Whole]:
    """Write the spans of a line's next timed events from ``position`` on while there is room.

    How many there were, and where to go on. For lines that were decoded without a fault.
    """
    base = np.int64(buffer.ctypes.data)
    count = 0
    while position < last and count < len(firsts):
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            return count, last
        position = behind
        if tag == 34 and _has_time(base, a, b):
            firsts[count], lasts[count] = a, b
            count += 1
    return count, position
