"""Lines, events and metadata maps of an XSpace, from wire bytes to columns.

Tags are those of xplane.proto: field number << 3 | wire type.
"""

# Long kernels, because each function that passes arrays on pays for counting references to them.
# ruff: noqa: PLR0912, PLR0915

from typing import Final

import numpy as np

from scopelight.formats.kernels import kernel
from scopelight.formats.lookup import IdTable, find_row
from scopelight.formats.wire import (
    NEGATIVE_DURATION,
    NO_EVENT_METADATA,
    TIME_OVERFLOW,
    UNEXPECTED_TYPE,
    Buffer,
    Int32,
    Int64,
    Whole,
    complain,
    load_byte,
    read_field,
    read_varint,
)

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
) -> tuple[Whole, Whole]:
    """Decode a line's events; the number of timed ones, and the index from which aggregated ones are.

    ``metadata`` [n] receives rows of the event metadata, ``times`` [4, n]: start_ps, duration_ps, and the
    span in the file that holds the event's stats. Aggregated events come from the end backwards, with their
    number of occurrences in place of the start.
    """
    base = np.int64(buffer.ctypes.data)
    direct, lowest_id, size = table.direct, table.base, table.direct.shape[0]
    count = np.int64(0)
    aggregated = np.int64(metadata.shape[0])
    position = first
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
            break
        if tag != 34:
            position = behind
            continue
        if count >= aggregated:
            break
        metadata_id, offset_ps, duration_ps, occurrences = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
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
                occurrences = value
                timed = False
                at = behind
            else:
                tag, detail, place, behind = read_field(base, at, b)
                if behind < 0:
                    complain(fault, -behind, place, detail)
                    return count, aggregated
                if tag >> 3 <= 5:
                    complain(fault, UNEXPECTED_TYPE, at, tag >> 3)
                    return count, aggregated
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
            index = count
            count += 1
            times[0, index] = start_ps
        else:
            aggregated -= 1
            index = aggregated
            times[0, index] = occurrences
        metadata[index] = row
        times[1, index] = duration_ps
        times[2, index] = stats_first
        times[3, index] = b
        position = b
    return count, aggregated
