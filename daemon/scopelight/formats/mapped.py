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
        with path.open("rb") as file:
            if not stat.S_ISREG(path.stat().st_mode):
                raise FormatError("it is not a regular file", path=path, kind=kind)
            if path.stat().st_size == 0:
                raise FormatError("it is empty", path=path, kind=kind)
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        raise FormatError("there is no such file", path=path, kind=kind) from None
    except IsADirectoryError:
        raise FormatError("it is a directory; name a file in it", path=path, kind=kind) from None
    except PermissionError:
        raise FormatError("this user may not read it", path=path, kind=kind) from None
    except (OSError, ValueError) as error:
        raise FormatError(f"it cannot be opened ({error})", path=path, kind=kind) from None
    return np.frombuffer(mapping, np.uint8)
