"""The files of a session, one or several for each host: one that cannot be read costs its host alone."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.reader import XSpace, read_xspace


def read_hosts(files: Sequence[Path]) -> tuple[list[XSpace], list[Finding]]:
    """The files that can be read, and a warning for each that cannot. Raises `FormatError` where none can."""
    spaces: list[XSpace] = []
    unreadable: list[FormatError] = []
    for file in files:
        try:
            spaces.append(read_xspace(file))
        except FormatError as error:
            unreadable.append(error)
    if not spaces:
        raise unreadable[0]
    return spaces, [host_unreadable(error) for error in unreadable]


def host_unreadable(error: FormatError) -> Finding:
    """The warning that a file of a session is left out."""
    return warning("host-unreadable", problem=error.sentence)
