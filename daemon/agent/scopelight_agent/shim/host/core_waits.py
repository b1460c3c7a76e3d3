"""How long a thread has waited for a core."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

_LONGEST = 128
"""Bytes of what the system tells of a thread."""


class CoreWaits:
    """How long the thread that made it waits for a core; 0 where the system does not say."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._identity: tuple[int, int] | None = None
        self._last_ns = 0
        with suppress(Exception):
            # Whatever the script has put in place of these functions.
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
            self._identity = _identity(self._file)
        self._told = _reader()

    def since_last(self) -> int:
        """What of it is new, in ns."""
        last_ns, self._last_ns = self._last_ns, self._read()
        return self._last_ns - last_ns

    def _read(self) -> int:
        if self._file is None:
            return 0
        try:
            return int(self._told(self._file).split()[1])
        except Exception:
            return self._last_ns

    def close(self) -> None:
        """Read no more."""
        file, self._file = self._file, None
        with suppress(Exception):
            # A script may have closed all files that it does not know, and opened others since.
            if file is not None and _identity(file) == self._identity:
                os.close(file)


def _identity(file: int) -> tuple[int, int]:
    """Of the file that a descriptor is of."""
    told = os.fstat(file)
    return told.st_dev, told.st_ino


def _reader() -> Callable[[int], bytes]:
    """What reads a file without letting go of the interpreter: whoever lets go has to ask for it again, and stops a
    thread of the script a second time. For that nothing is imported: jax does."""
    ctypes: Any = sys.modules.get("ctypes")
    try:
        read = ctypes.PyDLL(None).pread
        buffer = ctypes.create_string_buffer(_LONGEST)
        read.argtypes, read.restype = (
            (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_ssize_t),
            ctypes.c_ssize_t,
        )
    except Exception:
        # Not every system has it.
        return lambda file: os.pread(file, _LONGEST, 0)
    return lambda file: buffer.raw[: max(0, read(file, buffer, _LONGEST, 0))]
