"""Schema of ``run.json``: one class for each of its objects, used by the capture that writes it and by readers.

A field is absent (None, or empty) where it is not recorded yet, or was not by the version that wrote it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import attrs

from scopelight.findings import Finding
from scopelight.model.run.calibration import Calibration
from scopelight.model.run.names import SOURCES_FOLDER
from scopelight.program.hlo.frames import Frame

RUN_FORMAT_VERSION = 1
"""Newest format that this version reads, and the one that it writes."""


CaptureStage = Literal[
    "starting", "compiling", "measuring", "capturing", "calibrating", "predicting", "captured", "failed"
]
"""``measuring``: compilation has settled and the length of a step is being found. ``calibrating``: the script has ended
before its window closed, and what the machine can do at most is being measured. ``predicting``: the compiler of another
device compiles the programs of the script."""


@attrs.frozen(slots=True)
class ScriptError:
    """The exception that ended a script: its class, the first line of what it says, and the innermost frame of the
    user's own, where it has one.

    ``module`` is what an `ImportError` was about.
    """

    kind: str = ""
    message: str = ""
    path: str | None = None
    line: int | None = None
    function: str | None = None
    module: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}" if self.message else self.kind


@attrs.frozen(slots=True)
class CaptureProgress:
    """How far a capture has come.

    ``programs`` were compiled so far, and ``compiling`` is at the compiler; what it waits for it does since
    ``since_ns`` (epoch). While ``predicting``, ``caught`` programs of the script are known. ``has_jax``: the script has
    imported jax. While ``measuring``, ``seen`` steps were found.
    ``waits``: the window can be asked for (`CAPTURE_NOW_FILE`); ``is_by_hand``: it was. While ``capturing`` the window
    of ``steps`` steps (None: a window that is not of steps) opens at ``started_ns`` (epoch) and lasts ``seconds``
    (None: to the end of the script); a step takes ``period_seconds``. ``pid`` is the capture's process; ``failure``
    says in a sentence why it ``failed``. ``out_of_memory``: the script has ended for want of memory; ``error`` is what
    ended it. The last three are `RunInformation`'s.
    """

    stage: CaptureStage = "starting"
    programs: int = 0
    caught: int = 0
    compiling: str | None = None
    since_ns: int | None = None
    has_jax: bool = False
    seen: int = 0
    waits: bool = False
    is_by_hand: bool = False
    steps: int | None = None
    started_ns: int | None = None
    period_seconds: float | None = None
    seconds: float | None = None
    pid: int | None = None
    failure: str | None = None
    out_of_memory: bool = False
    error: ScriptError | None = None


@attrs.frozen
class WindowOptions:
    """Which part of the script was to be captured: ``steps`` after ``skip`` others, unless ``seconds`` of time or the
    ``whole`` script.

    Or ``steps`` from ``from_step`` on, and again ``every`` so many steps; from the beginning of an ``epoch`` on; steps
    around those that take more than ``slow_ratio`` times as long as the others, looked for by a ``timer`` or in a
    ``ring`` at a cost of at most ``most_cost_ratio``; whenever the file ``watch`` changes: in at most ``most_windows``
    windows. None is longer than ``most_seconds`` or, as far as can be foreseen, larger than ``most_bytes``.
    """

    steps: int = 5
    skip: int = 2
    seconds: float | None = None
    whole: bool = False
    from_step: int | None = None
    every: int | None = None
    epoch: int | None = None
    slow_ratio: float | None = None
    slow_by: Literal["timer", "ring"] = "timer"
    most_cost_ratio: float = 0.01
    watch: str | None = None
    most_windows: int = 10
    most_bytes: int | None = None
    most_seconds: float | None = None

    @property
    def has_room(self) -> bool:
        """Whether nobody looks for windows as long as the script runs, so that others can be asked for."""
        return self.every is None and self.slow_ratio is None

    @property
    def is_of_steps(self) -> bool:
        """Whether the script's own count of steps says when windows begin."""
        asked = (self.from_step, self.every, self.epoch, self.slow_ratio, self.watch)
        return any(each is not None for each in asked)


WindowKind = Literal["steps", "seconds", "time", "whole", "probe", "script", "code", "file"]
"""``time``: for want of steps; ``probe``: the part that was traced when the script ended; ``script``: its own trace;
``code``: what the script asked for; ``file``: a profile that was there."""


@attrs.frozen
class CaptureWindow:
    """What was captured. Steps are those asked for, or more where they come in bursts, and skipped ones;
    ``complete_steps`` are those found inside.

    In a window of ``steps`` steps these are the first so many that are complete. What the trace holds beyond them,
    because the profiler can only stop later, lies outside the steps.
    ``started_ns`` and ``closed_ns`` are of the epoch; ``folder`` is where the script put a trace of its own.
    ``session`` is where its profile lies, relative to the run directory.
    """

    kind: WindowKind | None = None
    steps: int | None = None
    skip: int | None = None
    complete_steps: int | None = None
    seconds: float | None = None
    period_seconds: float | None = None
    started_ns: int | None = None
    closed_ns: int | None = None
    folder: str | None = None
    session: str | None = None
    step_name: str | None = None
    """What is called, or annotated, once in each of the steps that were counted."""
    first_step: int | None = None
    """The number that the script's own count gives the first of its steps, and that of its last one: where the window
    was of steps so numbered."""
    last_step: int | None = None
    epoch: int | None = None
    """The number of the epoch that it begins in, where that was asked for."""
    slow_steps: tuple[int, ...] = ()
    """Those of its steps for which it was kept."""


@attrs.frozen
class TraceCost:
    """One trace that was taken: its length, when it ran (seconds since the epoch), how long its start and stop held
    the profiler up, its size, and how many programs were compiled meanwhile."""

    seconds: float
    started: float
    stopped: float
    start_seconds: float
    stop_seconds: float
    bytes: int
    compiles: int


@attrs.frozen
class RecordedDevice:
    """A device as jax names it: ``tpu``, ``TPU v5 lite``, ``0``; of a job of several processes each is there once.

    ``coords`` are those of its chip in the torus, ``core_on_chip`` which of that chip's cores it is, ``slice_index``
    the slice that it is of. ``local_hardware_id`` is its number among the devices of its process, and only that
    process tells it.
    """

    platform: str | None = None
    kind: str | None = None
    id: str | None = None
    process_index: int | None = None
    coords: tuple[int, ...] | None = None
    core_on_chip: int | None = None
    slice_index: int | None = None
    local_hardware_id: int | None = None


@attrs.frozen
class RecordedHost:
    """A process whose traces a session holds: ``name`` is that of its file, without ``.xplane.pb``.

    ``process_index`` is what jax calls it among the processes of its job, as `RecordedDevice` has it.
    """

    name: str
    process_index: int | None = None
    pid: int | None = None


@attrs.frozen
class GitState:
    """The commit of the folder that the script ran in, and whether tracked files differed from it."""

    commit: str
    dirty: bool = False

    @property
    def short(self) -> str:
        """``3f2a1b0c``, with a ``*`` where files differed."""
        return self.commit[:8] + ("*" if self.dirty else "")


@attrs.frozen
class RecordedSnapshot:
    """A snapshot of memory: its name, its file relative to the run, when it was taken (ns since the epoch), and for how
    long it may have held the script up."""

    file: str
    name: str | None = None
    time_ns: int | None = None
    cost_seconds: float | None = None


@attrs.frozen
class RecordedMemory:
    """How often memory was sampled and how long that took in all, and the snapshots that were kept."""

    readings: int | None = None
    seconds: float | None = None
    snapshots: tuple[RecordedSnapshot, ...] = ()


@attrs.frozen(slots=True)
class RaisedFrame(Frame):
    """A frame of a stack that raised; ``waits``: it waited there for an array that was made before."""

    waits: bool = False


@attrs.frozen
class RecordedOutOfMemory:
    """What a script ended with that found no more memory: the text of what was raised, and the stack that raised it.

    ``during_compilation``: the compiler was at work. ``in_thread``: a thread of it ended so, and its main thread may
    have gone on. ``caught``: it caught that, and left with an exit code other than 0. The stack, innermost frame first,
    is empty where the script was killed.
    """

    message: str = ""
    stack: tuple[RaisedFrame, ...] = ()
    during_compilation: bool = False
    in_thread: bool = False
    caught: bool = False

    @property
    def waits(self) -> bool:
        """Whether the innermost frame waited for an array that was made before."""
        return bool(self.stack) and self.stack[0].waits


@attrs.frozen
class StoredSource:
    """A file of the user's that a run keeps: where, relative to the folder of sources, and the hash of its bytes."""

    file: str
    sha256: str | None = None


@attrs.frozen
class RecordedServer:
    """One profiler server that was to be captured: where it listens, and its ``file`` in the session.

    ``pid``, ``script`` and ``jaxlib`` are known of jobs of the same machine. It was asked to begin at
    ``requested_ns``, and says that it began and ended at ``started_ns`` and ``stopped_ns`` (epoch). ``problem`` is the
    code of the finding that says why there is no file.
    """

    address: str
    host: str | None = None
    file: str | None = None
    pid: int | None = None
    script: str | None = None
    jaxlib: str | None = None
    requested_ns: int | None = None
    started_ns: int | None = None
    stopped_ns: int | None = None
    problem: str | None = None


SourceKind = Literal["launch", "server", "attach", "file"]
"""How a profile was come by: a script that was started, a server or a process that was there, a file."""


@attrs.frozen
class RecordedSource:
    """Where a run's profile is from; ``servers`` are those that were asked."""

    kind: SourceKind | None = None
    servers: tuple[RecordedServer, ...] = ()


RunState = Literal["running", "captured", "failed"]


@attrs.frozen
class RunInformation:
    """What ``run.json`` says, and ``path``, where the run directory is now."""

    format_version: int = RUN_FORMAT_VERSION
    directory: str | None = None
    """The run directory where it was when it was captured; None in older runs."""
    state: RunState | None = None
    """``running`` until the profile is on disk, then ``captured`` or ``failed``."""
    failure: str | None = None
    """A sentence that says why it failed."""
    created: str | None = None
    """ISO 8601, with the offset of the time zone."""
    command: tuple[str, ...] = ()
    script: str | None = None
    """A file relative to ``cwd``, or the name of a module where ``is_module``."""
    is_module: bool = False
    args: tuple[str, ...] = ()
    cwd: str | None = None
    python: str | None = None
    """The interpreter."""
    platform: str | None = None
    versions: Mapping[str, str] = attrs.Factory(dict)
    """Of Scopelight, Python, jax, jaxlib, numpy."""
    environment: Mapping[str, str] = attrs.Factory(dict)
    """Variables of the script's environment that change how jax, XLA and devices work."""
    jax_options: Mapping[str, str] = attrs.Factory(dict)
    """Options of jax that are not what they are by default, as they were when it was traced last."""
    compilation_cache: str | None = None
    """What was done so that a cached program has the lines of this source: ``metadata-in-key`` or ``bypassed``."""
    backend: str | None = None
    predicted_for: str | None = None
    """The name of the TPU that its programs were compiled for, which did not run there; ``devices`` are that TPU's."""
    devices: tuple[RecordedDevice, ...] | None = None
    hosts: tuple[RecordedHost, ...] = ()
    """The processes that its sessions hold traces of; older runs do not say so, nor does what a server has sent."""
    options: WindowOptions | None = None
    watches_memory: bool = True
    """Whether its memory was to be sampled, and snapshots of live arrays kept; older runs do not say so."""
    records_host: bool = True
    """Whether it was to be recorded where its threads stand; older runs do not say so, and have none of it."""
    reads_resources: bool = True
    """Whether what the machine and processes do was to be read; older runs do not say so, and have none of it."""
    calibrates: bool = True
    """Whether the machine was to be measured where its CPU is the device; older runs do not say so."""
    calibration: Calibration | None = None
    """What was measured of a machine whose CPU was the device."""
    progress: CaptureProgress | None = None
    source: RecordedSource | None = None
    """Older runs have none: they started a script."""
    windows: tuple[CaptureWindow, ...] = ()
    """All that were captured, in order; older runs have one and say so in ``window`` alone."""
    window: CaptureWindow | None = None
    """The newest of them, or the one that was opened."""
    pause_seconds: float | None = None
    """How long starting and stopping the trace took."""
    probes: tuple[TraceCost, ...] = ()
    """All traces that were taken, in order."""
    memory: RecordedMemory | None = None
    out_of_memory: RecordedOutOfMemory | None = None
    """What the script ended with, where it ended for want of memory."""
    error: ScriptError | None = None
    """The exception that nothing caught, where one ended the script."""
    has_ended: bool = False
    """Whether the job has, and no further window of it can be captured."""
    exit_code: int | None = None
    """The script's; 128 + n where signal n ended it."""
    git: GitState | None = None
    follows: str | None = None
    """The name of the run directory beside it that the same script was captured into before."""
    findings: tuple[Finding, ...] = ()
    """Warnings of the capture."""
    pinned: bool = False
    """Whether it must be kept when older runs are deleted."""
    path: Path | None = None

    def process_index(self, host: str) -> int | None:
        """What jax calls the process that a session's traces of ``host`` are of; None where that is not recorded."""
        return next((each.process_index for each in self.hosts if each.name == host), None)

    @property
    def device_kinds(self) -> tuple[str, ...]:
        """What jax calls the kinds of the devices (``TPU v5 lite``), each once."""
        return tuple(dict.fromkeys(each.kind for each in self.devices or () if each.kind is not None))

    @property
    def sources(self) -> Path | None:
        """Folder of the user's files as they were; None where the run keeps none."""
        folder = None if self.path is None else self.path / SOURCES_FOLDER
        return folder if folder is not None and folder.is_dir() else None
