"""XSpace files written by hand: just enough of the wire format to make lanes of any shape."""

import struct
from collections.abc import Mapping

import attrs


def varint(value):
    value &= (1 << 64) - 1
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*data, value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, *parts):
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def text(field, value):
    return message(field, value.encode())


@attrs.frozen
class Line:
    """``events`` are (name, offset_ps, duration_ps), or with a value as fourth: a double where it is a float, several
    stats by name where it is a mapping."""

    name: str
    events: tuple = ()
    timestamp_ns: int = 0
    id: int = 1


def plane(name, *lines, stats=(), value_name="value"):
    """A plane of lines; ``stats`` are pairs of a name and a whole number, ``value_name`` is the stat of events."""
    all_events = [event for line in lines for event in line.events]
    names = list(dict.fromkeys(event[0] for event in all_events))
    mappings = [event[3] for event in all_events if len(event) > 3 and isinstance(event[3], Mapping)]
    own_stats = tuple((each, None) for each in dict.fromkeys(each for mapping in mappings for each in mapping))
    stat_names = [value_name, *(each for each, _ in (*stats, *own_stats))]
    parts = [text(2, name)]
    for line in lines:
        events = (_event(stat_names, names.index(event[0]) + 1, *event[1:]) for event in line.events)
        parts.append(message(3, number(1, line.id), text(2, line.name), number(3, line.timestamp_ns), *events))
    for identity, each in enumerate(names, 1):
        parts.append(message(4, number(1, identity), message(2, number(1, identity), text(2, each))))
    for identity, (each, value) in enumerate(((value_name, None), *stats, *own_stats), 1):
        parts.append(message(5, number(1, identity), message(2, number(1, identity), text(2, each))))
        if value is not None:
            parts.append(message(6, number(1, identity), number(4, value)))
    return message(1, *parts)


def _event(stat_names, identity, offset_ps, duration_ps, value=None):
    stats = b""
    if isinstance(value, Mapping):
        stats = b"".join(
            message(4, number(1, stat_names.index(each) + 1), text(5, of) if isinstance(of, str) else number(4, of))
            for each, of in value.items()
        )
    elif isinstance(value, float):
        stats = message(4, number(1, 1), varint(2 << 3 | 1) + struct.pack("<d", value))
    elif value is not None:
        stats = message(4, number(1, 1), number(4, value))
    return message(4, number(1, identity), number(2, offset_ps), number(3, duration_ps), stats)


def write(path, *planes):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(planes))
    return path
