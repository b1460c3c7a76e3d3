"""Files as read-only memory.

Reading mapped memory beyond the end of a file ends the process, so readers check first that the file still has its
length. A file that is truncated while a kernel reads from it (up to a second, for the longest lines) is not noticed.
"""

import mmap
import stat
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import attrs
import numpy as np

from scopelight.formats.errors import FormatError, Kind
from scopelight.formats.wire import Buffer
from scopelight.phrase import Phrase

STAYING_BYTES: Final = 128 << 20
"""A file up to so long stays in memory while it is read: to let go of it in between takes a twentieth of reading it."""
STRETCH_BYTES: Final = 16 << 20
"""Of a longer one, the memory of each such stretch is let go of before the next one is read."""

_SPECIAL: Final[Sequence[tuple[Callable[[int], bool], Phrase]]] = (
    (stat.S_ISFIFO, Phrase("it is a named pipe (FIFO), which would have to be written to a file first")),
    (stat.S_ISSOCK, Phrase("it is a socket")),
    (stat.S_ISCHR, Phrase("it is a device, such as a terminal or /dev/null")),
    (stat.S_ISBLK, Phrase("it is a device, such as a disk")),
)


@attrs.frozen(eq=False, repr=False)
class MappedFile:
    """A file that is mapped. The mapping lives as long as this or its bytes, or a slice of them, do."""

    path: Path
    kind: Kind
    _mapping: mmap.mmap = attrs.field(repr=False)
    _bytes: Buffer = attrs.field(repr=False)

    @property
    def bytes(self) -> Buffer:
        """All bytes of the file, to be read now. Raises `FormatError` where it became shorter than it was."""
        if self._mapping.size() < len(self._bytes):
            raise FormatError(
                "it became shorter while it was open: wait until it is written whole", path=self.path, kind=self.kind
            )
        return self._bytes

    @property
    def stretch_bytes(self) -> int:
        """How much of the file is read, at about the most, before its memory is let go of."""
        return STRETCH_BYTES if len(self._bytes) > STAYING_BYTES else len(self._bytes)

    def forget_pages(self, first: int, last: int) -> None:
        """Let go of the memory that ``[first, last)`` takes: it comes back when it is read again."""
        if hasattr(mmap, "MADV_DONTNEED"):
            begin = first - first % mmap.PAGESIZE
            if last > begin:
                self._mapping.madvise(mmap.MADV_DONTNEED, begin, last - begin)


def special_file(mode: int) -> Phrase | None:
    """What a file of a mode is that is neither a regular file nor a directory; None of those."""
    if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
        return None
    return next((meaning for is_kind, meaning in _SPECIAL if is_kind(mode)), Phrase("it is not a regular file"))


def map_file(path: Path, kind: Kind) -> MappedFile:
    """Map a file without reading it.

    Raises a `FormatError` (which speaks of a ``kind``) where there is nothing to map.
    """
    try:
        # Before it is opened: to open a pipe waits for a writer.
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FormatError("it is a directory; name a file in it", path=path, kind=kind)
        if meaning := special_file(status.st_mode):
            raise FormatError(meaning, path=path, kind=kind)
        if status.st_size == 0:
            raise FormatError("it is empty", path=path, kind=kind)
        with path.open("rb") as file:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise FormatError("there is no such file", path=path, kind=kind) from None
    except PermissionError:
        raise FormatError("this user may not read it", path=path, kind=kind) from None
    except (OSError, ValueError) as error:
        raise FormatError("it cannot be opened ({reason})", path=path, kind=kind, reason=error) from None
    return MappedFile(path, kind, mapping, np.frombuffer(mapping, np.uint8))
