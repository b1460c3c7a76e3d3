"""Lines in the editor: where they are now, what they carry, and what is copied of them."""

from typing import Literal

import attrs

AnnotationState = Literal["current", "stale"]
"""``stale``: the line was changed since it was captured, or may not be the one that was measured."""

PlaceState = Literal["current", "stale", "gone"]
"""Whether a recorded line is found unchanged, changed, or not at all in the present text."""


@attrs.frozen(slots=True)
class Annotation:
    """What one line of the present text carries.

    ``line`` is where it is now, ``recorded_line`` where it was. ``heat`` is 1 to 5 by the share of the file's
    hottest line, 0 for one that is only shown as a call site. ``text`` is ready to be shown after the line,
    ``compact`` in a column left of it: None where there is no figure, so that ``text`` has to stand after the line.
    ``quiet``: it says that there is nothing to say, and is dimmed.
    """

    line: int
    recorded_line: int
    text: str
    compact: str | None
    heat: int
    state: AnnotationState
    share_ratio: float
    inclusive: bool
    quiet: bool = False


@attrs.frozen(slots=True)
class Annotations:
    """Notification: the annotations of one document, replacing those before; for the text of that version.

    ``file`` is what the records of the run call a document that is a cell of a notebook; None of any other, and of a
    cell without annotations.
    """

    uri: str
    version: int | None
    annotations: tuple[Annotation, ...]
    file: str | None = None


@attrs.frozen(slots=True)
class LocateLine:
    """Asks where a line of the run that is shown is in the present text."""

    file: str
    line: int


@attrs.frozen(slots=True)
class LocatedLine:
    """``file`` and ``line`` are of the present text; the nearest line that is left where the state is ``gone``.

    Of a cell of an open notebook ``file`` is the URI of its document.
    """

    file: str
    line: int
    state: PlaceState


LineSource = Literal["file", "cell", "copy", "absent", "fileless"]
"""Where a recorded line can be looked at: in its file here, in a cell of a notebook, in the run's own copy of it, or
nowhere; ``fileless`` never was in a file."""


@attrs.frozen(slots=True)
class FoundLine:
    """Where a line of the run is to be looked at.

    ``file`` and ``line`` are of the present text where the ``source`` is its ``file``, the nearest line that is left
    where the ``state`` is ``gone``; else they are as recorded. ``run`` is that which keeps the ``copy``. ``reason`` is
    a sentence where there is nothing to look at. Of a ``cell``, ``file`` is the URI of its notebook, and ``cell`` its
    place among all cells, from 1.
    """

    file: str
    line: int
    state: PlaceState
    source: LineSource
    run: str | None = None
    reason: str | None = None
    cell: int | None = None


@attrs.frozen(slots=True)
class RecordedSource:
    """Asks for the copy of a file that a run keeps, which must be the one that is shown or compared with it: no other
    file is read."""

    run: str
    file: str


@attrs.frozen(slots=True)
class RecordedText:
    """``text`` is None where the run is neither shown nor compared, or keeps no copy of the file."""

    text: str | None


@attrs.frozen(slots=True)
class LocateFolder:
    """Asks which recorded folder ``folder`` of this machine, or one in it, is, given a recorded ``file`` of it."""

    file: str
    folder: str


@attrs.frozen(slots=True)
class LocatedFolder:
    """``folder`` is here what ``recorded`` was there, as `Settings.source_folders` has them; None both where the file
    is not in it, and then ``reason`` is a sentence."""

    recorded: str | None
    folder: str | None
    reason: str | None = None


@attrs.frozen(slots=True)
class CopyLine:
    """Asks for one line of the run that is shown as Markdown; without a line for the table of all hot lines."""

    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class Markdown:
    """Text for the clipboard."""

    text: str
