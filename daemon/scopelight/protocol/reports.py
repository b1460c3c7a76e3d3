"""Reports of runs that anyone opens."""

from typing import Literal

import attrs

ReportFormat = Literal["html", "markdown"]
"""Pages that need nothing but a browser, or text for an issue or a message."""


@attrs.frozen(slots=True)
class WriteReport:
    """Asks to write a report of the run at ``path`` to the file ``output``; None answers with its text instead.

    ``with_source`` puts the recorded source of its lines into pages.
    """

    path: str
    output: str | None = None
    format: ReportFormat = "html"
    with_source: bool = True
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class WrittenReport:
    """A report: the file that it was written to and its size, or its text."""

    path: str | None
    bytes: int
    text: str | None
