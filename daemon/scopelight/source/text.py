"""The text of a line of source, as the profile's own copy has it or else as the file has it now."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

LARGEST_FILE_BYTES = 16 << 20
"""A larger file is not source that a person reads."""

LineText = Callable[[str, int], str | None]
"""From a file's path and a 1-based line to its text without indentation; None where it cannot be had."""


def line_text(path: str, line: int) -> str | None:
    """Text of a line of the file at ``path``, stripped; None where there is no such file or line."""
    lines = _lines(path)
    return lines[line - 1].strip() if 1 <= line <= len(lines) else None


@lru_cache(maxsize=256)
def _lines(path: str) -> tuple[str, ...]:
    try:
        file = Path(path)
        if not file.is_file() or file.stat().st_size > LARGEST_FILE_BYTES:
            return ()
        return tuple(file.read_text(encoding="utf-8", errors="replace").splitlines())
    except (OSError, ValueError):
        return ()
