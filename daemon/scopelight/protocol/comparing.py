"""With what the run that is shown is compared, and what is asked of the comparison."""

import attrs

from scopelight.analysis.compare.records import ComparedBy


@attrs.frozen(slots=True)
class CompareWith:
    """Compares a run, whenever it is the one that is shown, with what was before it.

    ``before`` is a run, or a folder of several rounds of one script; ``run`` may be such a folder too, and its first
    round is shown. Where that is an experiment's folder, which has both sides, ``before`` is None.
    """

    run: str
    before: str | None


@attrs.frozen(slots=True)
class ComparedWith:
    """What is compared. ``run`` is the run that shows it, one of the ``after``; paths are in the order of the rounds.

    ``since`` tells what was before in a word, a commit or a time (``3f2a``, ``12:03``), ``before_title`` and
    ``after_title`` in a few; ``revision`` of each is its commit, short, with a ``*`` where files were changed.
    ``experiment`` is the folder that has both sides.
    """

    run: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    since: str
    before_title: str
    after_title: str
    before_revision: str | None = None
    after_revision: str | None = None
    experiment: str | None = None


@attrs.frozen(slots=True)
class ComparisonOptions:
    """What the rows of a comparison are to be. Progress and cancellation as the protocol has them."""

    by: ComparedBy = "line"
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class ComparedLinesOptions:
    """Asks for the text around a line of both sides. Files are as rows of the comparison name them; None of a side that
    has not the line."""

    before_file: str | None = None
    before_line: int | None = None
    after_file: str | None = None
    after_line: int | None = None


@attrs.frozen(slots=True)
class ComparedLine:
    """A line of the recorded sources: of both, where it is unchanged, or of one."""

    before_line: int | None
    after_line: int | None
    text: str


@attrs.frozen(slots=True)
class ComparedLines:
    """The lines around one, in the order of a patch; none where no run keeps a copy of the file."""

    lines: tuple[ComparedLine, ...]


@attrs.frozen(slots=True)
class ComparedMemoryOptions:
    """Asks for the memory of the program that needs most, on both sides."""


@attrs.frozen(slots=True)
class ComparedCurve:
    """Bytes in memory over what runs, one after the other; ``peak_bytes`` is the planned peak of the ``program``."""

    program: str
    peak_bytes: int | None
    bytes: tuple[int, ...]


@attrs.frozen(slots=True)
class ComparedMemory:
    """The memory of both sides, of their first rounds; None where nothing is known of it."""

    before: ComparedCurve | None
    after: ComparedCurve | None
