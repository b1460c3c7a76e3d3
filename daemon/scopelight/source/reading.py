"""Reading: the text of a file in lines, as an editor counts them."""

import re
from collections.abc import Sequence
from pathlib import Path

LARGEST_FILE_BYTES = 16 << 20
"""A larger file is not source that a person reads."""

_LINE_END = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their ends, which are ``\n``, ``\r\n`` and ``\r`` alone.

    A text that ends with a line end has an empty last line.
    """
    return _LINE_END.split(text)


def read_lines(file: Path) -> Sequence[str] | None:
    """The lines of a file; None where there is none, or none that a person reads."""
    try:
        if not file.is_file() or file.stat().st_size > LARGEST_FILE_BYTES:
            return None
        # A byte order mark belongs to the file and not to its text.
        return split_lines(file.read_bytes().decode("utf-8-sig", errors="replace"))
    except (OSError, ValueError):
        return None
