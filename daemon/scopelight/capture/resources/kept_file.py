"""Files of the kernel that are read again and again: opened once, which is most of what a reading costs."""

import os

_FIRST_BYTES = 1 << 12
_MOST_BYTES = 1 << 22


class KeptFile:
    """A file that is kept open. Raises `OSError` where it is not there, or what it tells of has ended."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_RDONLY)
        self._room = _FIRST_BYTES

    def read(self) -> bytes:
        """What it says now."""
        while True:
            data = os.pread(self._descriptor, self._room, 0)
            if len(data) < self._room or self._room >= _MOST_BYTES:
                return data
            self._room *= 2

    def close(self) -> None:
        """Close it; twice is once."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def read_once(path: str) -> bytes:
    """What a file says. Raises `OSError`."""
    file = KeptFile(path)
    try:
        return file.read()
    finally:
        file.close()
