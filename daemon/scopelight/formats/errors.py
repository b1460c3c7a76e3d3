"""The one exception of this room: a file that cannot be read, and why."""

from pathlib import Path


class FormatError(Exception):
    """A file is not what it should be.

    ``cause`` is a clause without its full stop, ``offset`` the byte in the file that it speaks of (None where
    the file as a whole is meant), ``path`` the file (None for bytes in memory), ``kind`` what it was read as.
    """

    def __init__(
        self, cause: str, *, path: Path | str | None = None, offset: int | None = None, kind: str = "profile"
    ) -> None:
        super().__init__(cause, path, offset, kind)
        self.cause = cause
        self.path = path
        self.offset = offset
        self.kind = kind

    def __str__(self) -> str:
        subject = str(self.path) if self.path is not None else "The data"
        place = f"at byte {self.offset}, " if self.offset is not None else ""
        return f"{subject} is not a readable {self.kind}: {place}{self.cause}."
