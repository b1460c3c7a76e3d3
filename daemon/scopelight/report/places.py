"""Where a line is, as the terminal writes it so that it can be clicked."""

import os
from pathlib import Path
from typing import Protocol

from scopelight.report.foreign_text import printable


class _Placed(Protocol):
    @property
    def path(self) -> str | None: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...


def place(row: _Placed, base: Path) -> str:
    """``model/decoder.py:48``, relative to ``base`` where the file is under it; empty where no line is known."""
    if row.line is None:
        return ""
    path = row.file.removeprefix(f"{str(base).rstrip(os.sep)}{os.sep}") if row.file else row.path or "(unknown file)"
    return printable(f"{path}:{row.line}")
