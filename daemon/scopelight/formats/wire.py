"""Protobuf's wire format: numbers, tags and spans, read by compiled kernels that never leave their bounds.

Every kernel takes the whole file as one ``uint8`` array and ``int64`` positions into it, so nothing is copied and
files beyond 2 GB need no care. A kernel that meets broken bytes writes ``fault`` (code, position, detail) and
stops; `raise_fault` turns that into a `FormatError`.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from scopelight.formats.errors import FormatError

Buffer = npt.NDArray[np.uint8]
Int64 = npt.NDArray[np.int64]
Int32 = npt.NDArray[np.int32]
Bool = npt.NDArray[np.bool_]

VARINT: Final = 0
FIXED64: Final = 1
SPAN: Final = 2
FIXED32: Final = 5

ENDS_EARLY: Final = 1
ENDLESS: Final = 2
OVERRUN: Final = 3
FIELD_NUMBER: Final = 4
WIRE_TYPE: Final = 5
UNEXPECTED_TYPE: Final = 6
NO_EVENT_METADATA: Final = 7
NO_STAT_METADATA: Final = 8
TIME_OVERFLOW: Final = 9
NEGATIVE_DURATION: Final = 10
REFERENCE: Final = 11

_SENTENCES: Final = {
    ENDS_EARLY: "a number is cut off by the end of its message",
    ENDLESS: "a number goes on for more than 10 bytes",
    OVERRUN: "a field runs {detail} bytes past the end of its message",
    FIELD_NUMBER: "a field has the number {detail}, which no message can have",
    WIRE_TYPE: "a field has the wire type {detail}, which profiles do not use",
    UNEXPECTED_TYPE: "field {detail} is not of the type that this field has in a profile",
    NO_EVENT_METADATA: "an event names the metadata id {detail}, which its plane does not have",
    NO_STAT_METADATA: "a stat names the metadata id {detail}, which its plane does not have",
    TIME_OVERFLOW: "an event's time is too far from the rest of the profile to be counted in picoseconds",
    NEGATIVE_DURATION: "an event has the negative duration {detail} ps",
    REFERENCE: "a stat refers to the text with id {detail}, which its plane does not have",
}

kernel = njit(cache=True, nogil=True)


def new_fault() -> Int64:
    """Room for a kernel's complaint: code (0 = none), position, detail."""
    return np.zeros(3, np.int64)


def fault_clause(fault: Int64) -> str:
    """The clause that tells the fault."""
    return _SENTENCES[int(fault[0])].format(detail=int(fault[2]))


def raise_fault(fault: Int64, path: Path | None) -> None:
    """Raise the `FormatError` that ``fault`` tells of, if any."""
    if fault[0]:
        raise FormatError(fault_clause(fault), path=path, offset=int(fault[1]))


@kernel
def complain(fault: Int64, code: int, position: int, detail: int) -> None:
    """Note the fault; the first one stands."""
    if fault[0] == 0:
        fault[0] = code
        fault[1] = position
        fault[2] = detail


@kernel
def read_varint(buffer: Buffer, position: int, end: int) -> tuple[int, int]:
    """A number's 64 bits and the position behind it; the position is minus the fault's code where it is broken."""
    if position >= end:
        return np.int64(0), np.int64(-ENDS_EARLY)
    byte = np.int64(buffer[np.uintp(position)])
    if byte < 0x80:
        return byte, position + 1
    value = byte & 0x7F
    shift = 7
    position += 1
    while shift < 70:
        if position >= end:
            return np.int64(0), np.int64(-ENDS_EARLY)
        byte = np.int64(buffer[np.uintp(position)])
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    return np.int64(0), np.int64(-ENDLESS)


@kernel
def read_field(buffer: Buffer, position: int, end: int, fault: Int64) -> tuple[int, int, int, int]:
    """The field at ``position``: (tag, a, b, next).

    ``a`` is the value's bits for numbers; for spans ``a`` and ``b`` are the first position and the one behind the last.
    ``next`` is the position behind the field, -1 where the field is broken (``fault`` says how).
    """
    zero = np.int64(0)
    tag, at = read_varint(buffer, position, end)
    if at < 0:
        complain(fault, -at, position, zero)
        return zero, zero, zero, np.int64(-1)
    number = tag >> 3
    if number < 1 or number > 0x1FFFFFFF:
        complain(fault, FIELD_NUMBER, position, number)
        return zero, zero, zero, np.int64(-1)
    wire_type = tag & 7
    value, behind = zero, zero
    if wire_type == SPAN:
        length, at_length = read_varint(buffer, at, end)
        if at_length < 0:
            complain(fault, -at_length, at, zero)
            return zero, zero, zero, np.int64(-1)
        if length < 0 or length > end - at_length:
            excess = length - (end - at_length) if length >= 0 else np.int64(0x7FFFFFFFFFFFFFFF)
            complain(fault, OVERRUN, position, excess)
            return zero, zero, zero, np.int64(-1)
        return tag, at_length, at_length + length, at_length + length
    if wire_type == VARINT:
        value, behind = read_varint(buffer, at, end)
        if behind < 0:
            complain(fault, -behind, at, zero)
            return zero, zero, zero, np.int64(-1)
        return tag, value, zero, behind
    if wire_type in (FIXED64, FIXED32):
        width = 8 if wire_type == FIXED64 else 4
        if end - at < width:
            complain(fault, OVERRUN, position, width - (end - at))
            return zero, zero, zero, np.int64(-1)
        for index in range(width):
            value |= np.int64(buffer[np.uintp(at + index)]) << (8 * index)
        return tag, value, zero, at + width
    complain(fault, WIRE_TYPE, position, wire_type)
    return zero, zero, zero, np.int64(-1)


@kernel
def list_fields(buffer: Buffer, first: int, last: int, rows: Int64, fault: Int64) -> int:
    """Write one row (tag, a, b, position) per field into ``rows`` while they fit; the number of all whole fields."""
    position = first
    count = 0
    while position < last:
        tag, a, b, behind = read_field(buffer, position, last, fault)
        if behind < 0:
            break
        if count < rows.shape[0]:
            rows[count, 0] = tag
            rows[count, 1] = a
            rows[count, 2] = b
            rows[count, 3] = position
        count += 1
        position = behind
    return count


class Message(NamedTuple):
    """A message's whole fields, one row (tag, a, b, position) each as `read_field` gives them, and what stopped the scan."""

    rows: Int64
    fault: Int64

    def spans(self, number: int) -> Int64:
        """First and behind-last position of every span field ``number``, in the file's order: shape [n, 2]."""
        return self.rows[self.rows[:, 0] == (number << 3 | SPAN), 1:3]


def scan_message(buffer: Buffer, first: int, last: int) -> Message:
    """The fields of the message in ``[first, last)``."""
    capacity = 256
    while True:
        rows: Int64 = np.empty((capacity, 4), np.int64)
        fault = new_fault()
        count: int = list_fields(buffer, np.int64(first), np.int64(last), rows, fault)
        if count <= capacity:
            return Message(rows[:count], fault)
        capacity = count


def expect_types(message: Message, wire_types: dict[int, int], path: Path | None) -> None:
    """Raise a `FormatError` if a known field (number → wire type) has another wire type than it should."""
    tags = message.rows[:, 0]
    for number, wire_type in wire_types.items():
        wrong = np.flatnonzero(((tags >> 3) == number) & ((tags & 7) != wire_type))
        if len(wrong):
            fault = np.array([UNEXPECTED_TYPE, message.rows[wrong[0], 3], number], np.int64)
            raise_fault(fault, path)


def text(buffer: Buffer, first: int, last: int) -> str:
    """The bytes as text; what is not UTF-8 shows as replacement characters."""
    view: Any = buffer[first:last]
    return bytes(view).decode("utf-8", "replace")
