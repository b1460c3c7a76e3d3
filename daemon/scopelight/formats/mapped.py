"""Files as read-only memory."""

import mmap
import stat
from pathlib import Path

import numpy as np

from scopelight.formats.errors import FormatError
from scopelight.formats.wire import Buffer


def map_file(path: Path, kind: str) -> Buffer:
    """Map a file without reading it; the mapping lives as long as the array or a slice of it does.

    Raises a `FormatError` (which speaks of a ``kind``) where there is nothing to map.
    """
    try:
        # Before it is opened: to open a pipe waits for a writer.
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise FormatError("it is a directory; name a file in it", path=path, kind=kind)
        if not stat.S_ISREG(status.st_mode):
            raise FormatError("it is not a regular file", path=path, kind=kind)
        if status.st_size == 0:
            raise FormatError("it is empty", path=path, kind=kind)
        with path.open("rb") as file:
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise FormatError("there is no such file", path=path, kind=kind) from None
    except PermissionError:
        raise FormatError("this user may not read it", path=path, kind=kind) from None
    except (OSError, ValueError) as error:
        raise FormatError(f"it cannot be opened ({error})", path=path, kind=kind) from None
    return np.frombuffer(mapping, np.uint8)
