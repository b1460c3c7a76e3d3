"""Protobuf's wire format: numbers, tags and spans, read by compiled kernels that never leave their bounds.

Every kernel takes the whole file as one ``uint8`` array and ``int64`` positions into it, so nothing is copied
and files beyond 2 GB need no care. A kernel that meets broken bytes writes ``fault`` (code, position, detail)
and stops; `raise_fault` turns that into a `FormatError`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from scopelight.formats.columns import Int64
from scopelight.formats.errors import FormatError
from scopelight.formats.kernels import ForKernels, Parameters, Result, kernel
from scopelight.phrase import Phrase

Buffer = npt.NDArray[np.uint8]

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

_SENTENCES: Final[Mapping[int, Phrase]] = {
    ENDS_EARLY: Phrase("a number is cut off by the end of its message"),
    ENDLESS: Phrase("a number goes on for more than 10 bytes"),
    OVERRUN: Phrase("a field runs {detail} bytes past the end of its message"),
    FIELD_NUMBER: Phrase("a field has the number {detail}, which no message can have"),
    WIRE_TYPE: Phrase("a field has the wire type {detail}, which profiles do not use"),
    UNEXPECTED_TYPE: Phrase("field {detail} is not of the type that this field has in a profile"),
    NO_EVENT_METADATA: Phrase("an event names the metadata id {detail}, which its plane does not have"),
    NO_STAT_METADATA: Phrase("a stat names the metadata id {detail}, which its plane does not have"),
    TIME_OVERFLOW: Phrase("an event's time is too far from the rest of the profile to be counted in picoseconds"),
    NEGATIVE_DURATION: Phrase("an event has the negative duration {detail} ps"),
    REFERENCE: Phrase("a stat refers to the text with id {detail}, which its plane does not have"),
}

Whole = int | np.int64
"""A whole number in a kernel, where all are 64 bits wide."""
ZERO: Final[Whole] = np.int64(0)
LARGEST: Final[Whole] = np.int64(0x7FFFFFFFFFFFFFFF)


def new_fault() -> Int64:
    """An empty fault, int64[3]: code (0 = none), position, detail."""
    return np.zeros(3, np.int64)


def fault_clause(fault: Int64) -> Phrase:
    """The fault as a clause of an error message."""
    return _SENTENCES[int(fault[0])].filled(detail=int(fault[2]))


def raise_fault(fault: Int64, path: Path | None) -> None:
    """Raise a `FormatError` if ``fault`` is set."""
    if fault[0]:
        raise FormatError(fault_clause(fault), path=path, offset=int(fault[1]))


def checked(
    path: Path | None,
    run: Callable[Concatenate[Int64, Parameters], Result],
    *arguments: Parameters.args,
    **named: Parameters.kwargs,
) -> Result:
    """Run a kernel that takes a fault array first: its result, or a `FormatError` if it set the fault."""
    fault = new_fault()
    result = run(fault, *arguments, **named)
    raise_fault(fault, path)
    return result


def _made_by_numba(bits: int) -> Any:  # noqa: ANN401 (numba's own)
    from scopelight.formats.native.loads import load_bits  # noqa: PLC0415 (only where kernels are compiled)

    return load_bits(bits)


def _load(bits: int) -> Callable[[Whole], Whole]:
    """A function that loads ``bits`` bits, little-endian, from a memory address, as a number of 64 bits.

    Numba's arrays cost five times as much per byte in small helper functions. So kernels pass addresses to each other,
    and check the bounds before they load.
    """

    def interpreted(address: Whole) -> Whole:
        import ctypes  # noqa: PLC0415 (only where kernels are interpreted)

        return np.int64(int.from_bytes(ctypes.string_at(int(address), bits // 8), "little", signed=bits == 64))

    return ForKernels(f"load {bits} bits", partial(_made_by_numba, bits), interpreted)


load_byte = _load(8)
load_word = _load(64)


@kernel
def complain(fault: Int64, code: Whole, position: Whole, detail: Whole) -> None:
    """Note a fault; the first one stands."""
    if fault[0] == 0:
        fault[0] = code
        fault[1] = position
        fault[2] = detail


@kernel
def read_varint(base: Whole, position: Whole, end: Whole) -> tuple[Whole, Whole]:
    """The number at ``position`` of the file at address ``base``: its 64 bits and the position behind it.

    Where it is broken that position is minus the fault's code.
    """
    if position >= end:
        return ZERO, -ENDS_EARLY
    byte = load_byte(base + position)
    if byte < 0x80:
        return byte, position + 1
    value = byte & 0x7F
    shift = np.int64(7)
    position += 1
    while shift < 70:
        if position >= end:
            return ZERO, -ENDS_EARLY
        byte = load_byte(base + position)
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
        shift += 7
    return ZERO, -ENDLESS


@kernel
def read_field(  # noqa: PLR0911
    base: Whole, position: Whole, end: Whole
) -> tuple[Whole, Whole, Whole, Whole]:
    """The field at ``position``: (tag, a, b, next).

    For numbers ``a`` is the value's bits; for spans ``a`` is the first position and ``b`` the one behind the
    last. ``next`` is the position behind the field. Where the field is broken, ``next`` is minus the fault's
    code, ``a`` its detail and ``b`` its position.
    """
    tag, at = read_varint(base, position, end)
    if at < 0:
        return ZERO, ZERO, position, at
    number = tag >> 3
    if number < 1 or number > 0x1FFFFFFF:
        return ZERO, number, position, -FIELD_NUMBER
    wire_type = tag & 7
    if wire_type == SPAN:
        length, first = read_varint(base, at, end)
        if first < 0:
            return ZERO, ZERO, at, first
        room = end - first
        if length < 0 or length > room:
            excess = length - room if length > 0 else LARGEST
            return ZERO, excess, position, -OVERRUN
        return tag, first, first + length, first + length
    if wire_type == VARINT:
        value, behind = read_varint(base, at, end)
        if behind < 0:
            return ZERO, ZERO, at, behind
        return tag, value, ZERO, behind
    if wire_type in (FIXED64, FIXED32):
        width = np.int64(8 if wire_type == FIXED64 else 4)
        if end - at < width:
            return ZERO, width - (end - at), position, -OVERRUN
        value = ZERO
        for index in range(width):
            value |= load_byte(base + at + index) << (8 * index)
        return tag, value, ZERO, at + width
    return ZERO, wire_type, position, -WIRE_TYPE


@kernel
def list_fields(buffer: Buffer, first: Whole, last: Whole, rows: Int64, fault: Int64) -> Whole:
    """Write one row (tag, a, b, position) per field while they fit; the number of all whole fields."""
    base = np.int64(buffer.ctypes.data)
    position = first
    count = ZERO
    while position < last:
        tag, a, b, behind = read_field(base, position, last)
        if behind < 0:
            complain(fault, -behind, b, a)
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
    """A message's whole fields, one row (tag, a, b, position) each, and what stopped the scan."""

    rows: Int64
    fault: Int64

    def spans(self, number: int) -> Int64:
        """Bounds [n, 2] of the spans of field ``number``, in the file's order."""
        return self.rows[self.rows[:, 0] == (number << 3 | SPAN), 1:3]


def scan_message(buffer: Buffer, first: int, last: int) -> Message:
    """The fields of the message in ``[first, last)``."""
    capacity = 256
    while True:
        rows: Int64 = np.empty((capacity, 4), np.int64)
        fault = new_fault()
        count = int(list_fields(buffer, first, last, rows, fault))
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


def read_message(buffer: Buffer, first: int, last: int, wire_types: dict[int, int], path: Path | None) -> Message:
    """The fields of a whole message. Raises a `FormatError` where it is broken or a field is not of its type."""
    message = scan_message(buffer, first, last)
    raise_fault(message.fault, path)
    expect_types(message, wire_types, path)
    return message


def text(buffer: Buffer, first: Whole, last: Whole) -> str:
    """The bytes as text; what is not UTF-8 shows as replacement characters."""
    view: Any = buffer[first:last]
    return bytes(view).decode("utf-8", "replace")
