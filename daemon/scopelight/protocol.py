"""The protocol: the records and requests that the daemon and its clients exchange.

``extension/src/protocol.ts`` is generated from this module; ``make lint`` fails when it is stale. Methods of the
Language Server Protocol itself (hover, code lenses, inlay hints, progress, cancellation) are used as they are; what
is listed here comes on top. Keys in JSON are the names of the fields. Paths are absolute, ids are strings, lines are
1-based; positions inside messages of the Language Server Protocol are 0-based, as it says.
"""

from typing import Literal

import attrs

from scopelight.analysis.records import LinesRecord
from scopelight.model.run_information import CaptureStage
from scopelight.model.run_listing import RunRecord

PROTOCOL_VERSION = 1
"""Raised with every change that the other side must know of. A pair with different versions refuses to work."""

AnnotationMode = Literal["time", "phases"]
"""What an annotation says: the time per step, or the phases that it was spent in."""

AnnotationState = Literal["current", "stale"]
"""``stale``: the line was changed since it was captured, or may not be the one that was measured."""

PlaceState = Literal["current", "stale", "gone"]
"""Whether a recorded line is found unchanged, changed, or not at all in the present text."""


@attrs.frozen(slots=True)
class Nothing:
    """No parameters, or no result."""


@attrs.frozen(slots=True)
class Settings:
    """Section ``scopelight`` of the client's settings, as far as the daemon heeds it.

    Sent as ``initializationOptions.settings`` and with ``workspace/didChangeConfiguration``. A line is annotated
    when its share is at least ``threshold_ratio``, or it is one of the ``most_lines`` hottest of its file with a
    share that does not round to nothing; a call site when its inclusive share reaches ``inclusive_ratio``.
    """

    annotations: bool = True
    mode: AnnotationMode = "time"
    threshold_ratio: float = 0.01
    most_lines: int = 20
    inclusive_ratio: float = 0.1
    code_lenses: bool = False
    inlay_hints: bool = True


@attrs.frozen(slots=True)
class InitializationOptions:
    """What a client may say when it starts the daemon; a client that says nothing gets the defaults.

    ``protocol_version`` None is a client that uses the Language Server Protocol alone. ``annotations`` says that
    it shows ``scopelight/annotations`` itself, so inlay hints stay away; ``command_links`` that hover cards may
    hold links to the commands of the extension.
    """

    protocol_version: int | None = None
    annotations: bool = False
    command_links: bool = False
    settings: Settings = attrs.Factory(Settings)


@attrs.frozen(slots=True)
class Runs:
    """The runs of all workspace folders, newest first."""

    runs: tuple[RunRecord, ...]


@attrs.frozen(slots=True)
class RunPath:
    """A run directory, a log directory, or one profile file."""

    path: str


@attrs.frozen(slots=True)
class PinRun:
    """Pin a run, so that retention never deletes it, or unpin it."""

    path: str
    pinned: bool


@attrs.frozen(slots=True)
class OpenRun:
    """Open a path and make it the run that is shown. Progress and cancellation as the protocol has them."""

    path: str
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class HottestLine:
    """The line with the greatest self time: where it is now, and its share of the op time."""

    file: str | None
    path: str | None
    line: int
    share_ratio: float


@attrs.frozen(slots=True)
class OpenedRun:
    """The run that is shown. Sentences are ready to be read by a person.

    ``headline`` leads the status bar's tooltip and the Hot Lines list (``5 steps of 32.4 ms ± 0.2 ms``), ``short`` is
    for the status bar (``32.4 ms/step · 97 % busy``), ``summary`` for the notification at the end of a capture.
    ``busy_ratio`` is the share of the wall clock that the device was busy. ``reason`` and ``remedy`` say why
    there is no line.
    """

    path: str
    title: str
    headline: str
    short: str
    summary: str
    busy_ratio: float | None
    hottest: HottestLine | None
    lines: int
    files: tuple[str, ...]
    reason: str | None
    remedy: str | None
    warnings: tuple[str, ...]


@attrs.frozen(slots=True)
class ShownRun:
    """Notification: the run that is shown has changed; None after it was cleared."""

    run: OpenedRun | None


@attrs.frozen(slots=True)
class Annotation:
    """What one line of the present text carries.

    ``line`` is where it is now, ``recorded_line`` where it was. ``heat`` is 1 to 5 by the share of the file's
    hottest line, 0 for one that is only shown as a call site. ``text`` is ready to be shown after the line.
    """

    line: int
    recorded_line: int
    text: str
    heat: int
    state: AnnotationState
    share_ratio: float
    inclusive: bool


@attrs.frozen(slots=True)
class Annotations:
    """Notification: the annotations of one document, replacing those before; for the text of that version."""

    uri: str
    version: int | None
    annotations: tuple[Annotation, ...]


@attrs.frozen(slots=True)
class LocateLine:
    """Asks where a line of the run that is shown is in the present text."""

    file: str
    line: int


@attrs.frozen(slots=True)
class LocatedLine:
    """``file`` and ``line`` are of the present text; the nearest line that is left where the state is ``gone``."""

    file: str
    line: int
    state: PlaceState


@attrs.frozen(slots=True)
class FollowCapture:
    """Asks to be told when a capture's profile can be opened; progress is reported meanwhile.

    The answer comes when the run is captured or has failed. To cancel is only to stop waiting.
    """

    path: str
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class FollowedCapture:
    """How the capture ended; ``failure`` is a sentence for the user."""

    path: str
    stage: CaptureStage
    failure: str | None


@attrs.frozen(slots=True)
class Markdown:
    """Text for the clipboard."""

    text: str


@attrs.frozen(slots=True)
class CopyLine:
    """Asks for one line of the run that is shown as Markdown; without a line for the table of all hot lines."""

    file: str | None = None
    line: int | None = None


@attrs.frozen(slots=True)
class HotLinesOptions:
    """The panel Hot Lines has no options that the daemon must know."""


@attrs.frozen(slots=True)
class HotLinesView:
    """What the panel Hot Lines shows: the record, the text of its lines, and where they are now.

    ``sources`` and ``places`` go with ``record.lines``, row by row; a source is None where no copy of its file is
    known.
    """

    run: OpenedRun
    record: LinesRecord
    sources: tuple[str | None, ...]
    places: tuple[LocatedLine | None, ...]


@attrs.frozen(slots=True)
class DebugInformation:
    """What a report of a fault needs: versions, paths, the state of the daemon; one line each."""

    text: str


PANELS: dict[str, tuple[type, type]] = {
    "hotLines": (HotLinesOptions, HotLinesView),
}
"""The panels: what each asks with, and what it shows. The method is ``scopelight/panel/NAME``."""

REQUESTS: dict[str, tuple[type, type]] = {
    "scopelight/runs": (Nothing, Runs),
    "scopelight/openRun": (OpenRun, OpenedRun),
    "scopelight/closeRun": (Nothing, Nothing),
    "scopelight/pinRun": (PinRun, Nothing),
    "scopelight/followCapture": (FollowCapture, FollowedCapture),
    "scopelight/locateLine": (LocateLine, LocatedLine),
    "scopelight/copyAsMarkdown": (CopyLine, Markdown),
    "scopelight/debugInformation": (Nothing, DebugInformation),
    **{f"scopelight/panel/{name}": types for name, types in PANELS.items()},
}
"""Client to daemon: parameters and result of each method."""

NOTIFICATIONS: dict[str, type] = {
    "scopelight/annotations": Annotations,
    "scopelight/shownRun": ShownRun,
    "scopelight/placesChanged": Nothing,
    "scopelight/runsChanged": Nothing,
}
"""Daemon to client. ``placesChanged``: lines of the shown run are elsewhere than a panel was last told."""
