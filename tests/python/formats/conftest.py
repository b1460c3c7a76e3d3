"""The oracle: protobuf's own parser over a descriptor of xplane.proto that is built at run time."""

from types import SimpleNamespace

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_TYPES = {"i64": 3, "u64": 4, "str": 9, "bytes": 12, "double": 1}

_MESSAGES = {
    "XSpace": "planes 1 *XPlane, errors 2 *str, warnings 3 *str, hostnames 4 *str",
    "XPlane": """id 1 i64, name 2 str, lines 3 *XLine, event_metadata 4 *EventEntry,
        stat_metadata 5 *StatEntry, stats 6 *XStat""",
    "EventEntry": "key 1 i64, value 2 XEventMetadata",
    "StatEntry": "key 1 i64, value 2 XStatMetadata",
    "XLine": """id 1 i64, name 2 str, timestamp_ns 3 i64, events 4 *XEvent,
        duration_ps 9 i64, display_id 10 i64, display_name 11 str""",
    "XEvent": """metadata_id 1 i64, offset_ps 2 i64|, duration_ps 3 i64, stats 4 *XStat,
        num_occurrences 5 i64|""",
    "XStat": """metadata_id 1 i64, double_value 2 double|, uint64_value 3 u64|, int64_value 4 i64|,
        str_value 5 str|, bytes_value 6 bytes|, ref_value 7 u64|, compressed_str 8 bytes|""",
    "XEventMetadata": """id 1 i64, name 2 str, metadata 3 bytes, display_name 4 str,
        stats 5 *XStat, child_id 6 *i64""",
    "XStatMetadata": "id 1 i64, name 2 str, description 3 str",
}
"""Fields by message: name, number, type; * repeated, | in the one oneof."""


def _oracle() -> SimpleNamespace:
    """Message classes by name. Maps are lists of entries here, so that their order can be chosen."""
    file = descriptor_pb2.FileDescriptorProto(name="oracle/xplane.proto", package="oracle", syntax="proto3")
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for field in fields.split(","):
            field_name, number, kind = field.split()
            label = 3 if kind[0] == "*" else 1
            added = message.field.add(name=field_name, number=int(number), label=label)
            kind_name = kind.strip("*|")
            if kind_name in _TYPES:
                added.type = _TYPES[kind_name]
            else:
                added.type, added.type_name = 11, f".oracle.{kind_name}"
            if kind.endswith("|"):
                if not message.oneof_decl:
                    message.oneof_decl.add(name="data")
                added.oneof_index = 0
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    types = {name: pool.FindMessageTypeByName(f"oracle.{name}") for name in _MESSAGES}
    return SimpleNamespace(**{name: message_factory.GetMessageClass(types[name]) for name in types})


@pytest.fixture(scope="session")
def xplane() -> SimpleNamespace:
    return _oracle()
