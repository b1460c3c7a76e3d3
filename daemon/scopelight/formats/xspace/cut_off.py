"""The plane in whose midst a file was cut off: what is whole of it, and numbers for what has lost its name.

A plane's lines come before the names of what is on them, so most such planes have lost all names of their events and
stats. What has lost its name goes by its number, ``#17``.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.wire import OVERRUN, SPAN, Buffer, Message, raise_fault, read_varint, scan_message
from scopelight.formats.xspace.events_kernels import ENTRY_COLUMNS, ENTRY_KEY

STAT_NAMES: Final = 1 << 16
"""Stats whose names are lost have numbers below this: the profiler numbers them from 1, as they come."""


def numbered(identity: int) -> str:
    """What goes by its number."""
    return f"#{identity}"


def broken_field(buffer: Buffer, message: Message, number: int) -> int | None:
    """Where the content of the field ``number`` begins that the end of the file cuts; None where it is another."""
    code, position, _ = message.fault.tolist()
    if code != OVERRUN or int(buffer[position]) != number << 3 | SPAN:
        return None
    _, first = read_varint(np.int64(buffer.ctypes.data), position + 1, len(buffer))
    return int(first) if first > 0 else None


def whole_fields(buffer: Buffer, first: int) -> tuple[Message, int]:
    """The fields of a message that the end of the file cuts, up to the one that is cut, and where they end.

    ``fault`` of the message says what is wrong with that one. Raises `FormatError` where the cut is not the reason.
    """
    message = scan_message(buffer, first, len(buffer))
    if not message.fault[0]:
        return message, len(buffer)
    # A fault lies at its field's tag, of one byte here, or right behind it.
    for end in (int(message.fault[1]), int(message.fault[1]) - 1):
        whole = scan_message(buffer, first, max(first, end))
        if not whole.fault[0]:
            return Message(whole.rows, message.fault), max(first, end)
    raise_fault(message.fault, None)
    raise AssertionError


def with_numbers(columns: Int64, ids: Int64) -> tuple[Int64, int]:
    """The columns of a metadata map with rows behind them for those ``ids`` that it has lost; how many these are."""
    lost = np.setdiff1d(ids, columns[ENTRY_KEY])
    added: Int64 = np.zeros((ENTRY_COLUMNS, len(lost)), np.int64)
    added[ENTRY_KEY] = lost
    return np.concatenate((columns, added), axis=1), len(lost)


def with_all_numbers(names: Sequence[str], ids: Int64) -> tuple[tuple[str, ...], Int64]:
    """Names of stats and their ids, and those of all that may have lost theirs."""
    lost = np.setdiff1d(np.arange(1, STAT_NAMES, dtype=np.int64), ids)
    return (*names, *map(numbered, lost.tolist())), np.concatenate((ids, lost))
