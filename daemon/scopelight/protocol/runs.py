"""Runs and captures: listed, followed, opened, shown."""

import attrs

from scopelight.findings import Finding
from scopelight.model.run.experiment import ListedExperiment
from scopelight.model.run.information import CaptureStage, ScriptError
from scopelight.model.run.listing import RunRecord
from scopelight.model.run.log_directories import LogDirectoryRecord
from scopelight.views.needs import Need


@attrs.frozen(slots=True)
class Runs:
    """The runs of all workspace folders, newest first, log directories in them that are no runs, and rounds of two
    revisions that are compared."""

    runs: tuple[RunRecord, ...]
    log_directories: tuple[LogDirectoryRecord, ...] = ()
    experiments: tuple[ListedExperiment, ...] = ()


@attrs.frozen(slots=True)
class ListLogDirectories:
    """Asks for the log directories below the address of one on a server (``s3://bucket/logs``)."""

    address: str


@attrs.frozen(slots=True)
class LogDirectories:
    """What can be opened there, those with the newest sessions first."""

    log_directories: tuple[LogDirectoryRecord, ...]


@attrs.frozen(slots=True)
class PinRun:
    """Pin a run, so that retention never deletes it, or unpin it."""

    path: str
    pinned: bool


@attrs.frozen(slots=True)
class OpenRun:
    """Open a path, or the address of one on a server, and make it the run that is shown.

    Progress and cancellation as the protocol has them.
    """

    path: str
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class HottestLine:
    """The line with most of the wall clock that is on this machine: where it is now, what the run calls it, and its
    share."""

    file: str | None
    path: str | None
    line: int
    recorded_file: str | None
    recorded_line: int
    share_ratio: float


@attrs.frozen(slots=True)
class OpenedRun:
    """The run that is shown. Sentences are ready to be read by a person.

    ``address`` is what was asked for where that lies on a server; ``path`` is then a copy of it. ``session`` is the
    folder of the window that is shown, where its run has windows to choose from.
    ``headline`` leads the status bar's tooltip and the Hot Lines list (``5 steps of 32.4 ms on average``), ``short`` is
    for the status bar (``32.4 ms/step · 97 % busy``), ``summary`` for the notification at the end of a capture.
    ``busy_ratio`` is the share of the wall clock that the device was busy. ``reason`` and ``remedy`` say why
    there is no line. ``never_ran``: it holds compiled programs, and nothing of them ran; what they compute is known.
    ``has`` is what views need that it has. ``memory_alone``: it holds what was in memory, and no trace.
    ``out_of_memory`` is a sentence where the script ended for want of memory: the panel Memory Profile names culprits.
    ``predicted_for`` is the device that its times are predicted for, where nothing of it ran on one; ``prediction``
    says how far that is to be believed and of what there is no estimate. ``predicted_by`` is the newest run that
    predicted the same script with the same arguments on the kind of device that this one was measured on.
    """

    path: str
    address: str | None
    session: str | None
    title: str
    headline: str
    short: str
    summary: str
    busy_ratio: float | None
    hottest: HottestLine | None
    lines: int
    files: tuple[str, ...]
    has: tuple[Need, ...]
    never_ran: bool
    memory_alone: bool
    out_of_memory: str | None
    findings: tuple[Finding, ...]
    predicted_for: str | None = None
    prediction: tuple[str, ...] = ()
    predicted_by: str | None = None


@attrs.frozen(slots=True)
class ShownRun:
    """Notification: the run that is shown has changed; None after it was cleared."""

    run: OpenedRun | None


@attrs.frozen(slots=True)
class FollowCapture:
    """Asks to be told when a capture's profile can be opened; progress is reported meanwhile.

    The answer comes when the run is captured or has failed. To cancel is only to stop waiting. While the window can be
    asked for, messages end in a link to ``capture_now_command``, a command of the client's with its arguments.
    """

    path: str
    capture_now_command: str | None = None
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class CaptureNow:
    """Asks a capture that waits for steps to open its window at once."""

    path: str


@attrs.frozen(slots=True)
class CaptureAgain:
    """Asks for another window of a job that was captured and still runs; the answer comes when it can be opened.

    Progress and cancellation as the protocol has them.
    """

    path: str
    workDoneToken: str | int | None = None  # noqa: N815 (the Language Server Protocol's name)


@attrs.frozen(slots=True)
class FollowedCapture:
    """How the capture ended; ``failure`` is a sentence for the user.

    ``out_of_memory``: the script ended for want of memory, whatever the stage; the run can be opened, and the panel
    Memory Profile names the culprits. ``error`` is the exception that ended the script, where one has.
    """

    path: str
    stage: CaptureStage
    failure: str | None
    out_of_memory: bool
    error: ScriptError | None = None
