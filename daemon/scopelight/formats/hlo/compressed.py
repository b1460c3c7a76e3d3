"""Files that are compressed whole, as people keep the programs that XLA dumped."""

import gzip
import lzma
import zlib
from collections.abc import Callable, Mapping
from io import BufferedIOBase
from pathlib import Path
from typing import Final

_OPENED: Final[Mapping[str, Callable[[Path], BufferedIOBase]]] = {".gz": gzip.GzipFile, ".xz": lzma.LZMAFile}


def decompressed(path: Path, most_bytes: int) -> bytes | None:
    """What a file holds whose name ends in ``.gz`` or ``.xz``, at most ``most_bytes``; None where it is broken."""
    try:
        with _OPENED[path.suffix](path) as file:
            return file.read(most_bytes)
    except (OSError, EOFError, zlib.error, lzma.LZMAError):
        return None
