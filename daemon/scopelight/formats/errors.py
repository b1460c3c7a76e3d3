"""The one exception of this room: a file that cannot be read, and why."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from scopelight.phrase import Phrase

Kind = Literal["profile", "HLO module", "HLO text", "memory snapshot", "run"]
"""What a file is read as."""
_SENTENCES: Final[Mapping[Kind, Phrase]] = {
    "profile": Phrase("{subject} is not a readable profile: {cause}."),
    "HLO module": Phrase("{subject} is not a readable HLO module: {cause}."),
    "HLO text": Phrase("{subject} is not a readable HLO text: {cause}."),
    "memory snapshot": Phrase("{subject} is not a readable memory snapshot: {cause}."),
    "run": Phrase("{subject} is not a readable run: {cause}."),
}
"""One for each kind, whose name languages decline in ways of their own."""


class FormatError(Exception):
    """A file is not what it should be.

    ``cause`` is a clause without its full stop, or its template with ``values``; ``offset`` the byte in the file that
    it speaks of (None where the file as a whole is meant), ``path`` the file (None for bytes in memory), ``kind`` what
    it was read as. ``sentence`` says all of it, in English until it is translated.
    """

    def __init__(
        self,
        cause: str,
        /,
        *,
        path: Path | str | None = None,
        offset: int | None = None,
        kind: Kind = "profile",
        **values: object,
    ) -> None:
        self.cause = cause if isinstance(cause, Phrase) else Phrase(cause, **values)
        self.path = path
        self.offset = offset
        self.kind = kind
        clause = self.cause
        if offset is not None:
            clause = Phrase("at byte {offset}, {cause}", offset=offset, cause=clause)
        subject = Phrase("The data") if path is None else path
        self.sentence = _SENTENCES[kind].filled(subject=subject, cause=clause)
        super().__init__(self.sentence)
