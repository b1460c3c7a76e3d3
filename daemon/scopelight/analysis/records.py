"""Records: what analyses return and the command line and editor show. Units are in the names."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import attrs

from scopelight.analysis.tabular import Tabular
from scopelight.findings import Finding
from scopelight.legible import Legible

FORMAT_VERSION = 1
"""Version of the records as a whole: a reader opens older ones and refuses newer ones."""

Basis = Literal["measured", "estimated", "predicted"]
"""Whether the profile states a quantity, shapes and instruction give it, or it is for a device that did not run it."""

Phase = Literal["forward", "backward", "recompute", "optimizer", "other"]
"""The part of a training step that an op belongs to."""
PHASE_NAMES: Sequence[Phase] = ("forward", "backward", "recompute", "optimizer", "other")
"""By the values of `program.phases.phases.Phase`."""

ExtentKind = Literal["steps", "window", "outside", "program"]
"""What sums are over: the complete steps, the whole window that was captured, what of it lies outside of the steps, or
one run of a program that did not run."""

StallCause = Literal["copy", "collective", "peer", "host"]
"""What a device waited for while it computed nothing: a copy between memories or with the host, devices that exchange
data together, one other device, or input from the host."""

WaitingClass = Literal[
    "compile",
    "garbage-collection",
    "release",
    "input",
    "callback",
    "transfer",
    "sync",
    "dispatch",
    "python",
    "runtime",
    "untraced",
    "unknown",
]
"""Why a device was idle: while a program was compiled; Python collected garbage; jax let go of objects of Python; the
script's data was being prepared; a function of Python was called from a program; data was moved; the host waited for a
result, or for what it had read back; it launched; it ran other Python; what had been launched was not begun; no trace
was made; or it is not known."""

WaitingBasis = Literal["exact", "estimated"]
"""Whether the interpreter told of each line, or samples and the trace's borders give an estimate."""


@attrs.frozen(slots=True, repr=False)
class ViewRecord(Legible, Tabular):
    """What a view answers with. ``findings`` say what is to be known of its figures, or why it is empty."""

    findings: tuple[Finding, ...] = attrs.field(default=(), kw_only=True)
    predicted_for: str | None = attrs.field(default=None, kw_only=True)
    """The device that its times are predicted for, where nothing of it ran on one; None where they were measured."""
    predicted_devices: int | None = attrs.field(default=None, kw_only=True)
    """How many devices each do what is predicted of one; None where times were measured."""
    format_version: int = attrs.field(default=FORMAT_VERSION, kw_only=True)


def place_fields(row: object) -> dict[str, Any]:
    """``path``, ``file`` and ``line`` of a row, for another row there; None each where ``row`` is None."""
    return {name: getattr(row, name, None) for name in ("path", "file", "line")}


def phase_fields(phases_ps: Sequence[int]) -> dict[str, Any]:
    """The times of the phases, in the order of `PHASE_NAMES`, as fields of a record: ``forward_ps`` and so on."""
    return {f"{name}_ps": phase_ps for name, phase_ps in zip(PHASE_NAMES, phases_ps, strict=True)}


@attrs.frozen(slots=True, repr=False)
class DeviceRecord(Legible):
    """A device that ran ops, and the self time of all of them.

    ``kind`` is ``tpu``, ``gpu`` or ``cpu``, ``model`` what it is called in full: ``TPU v6e``.
    """

    name: str
    kind: str
    host: int
    ordinal: int
    op_time_ps: int
    model: str = ""


@attrs.frozen(slots=True, repr=False)
class StepRecord(Legible):
    """One complete step; ``start_ps`` counts from the profile's first event.

    It lasts ``duration_ps`` on each of the ``devices`` that ran anything in the steps, so ``wall_ps`` on all of them:
    ``busy_ps`` + ``stalled_ps`` + ``idle_ps``, exactly. ``idle_classes`` sum to the last.
    """

    start_ps: int
    duration_ps: int
    devices: int = 0
    wall_ps: int = 0
    busy_ps: int = 0
    stalled_ps: int = 0
    idle_ps: int = 0
    idle_classes: Mapping[WaitingClass, int] = attrs.field(factory=dict)
    cpu_ps: int | None = None
    """How long all threads of the script's processes were on cores in it; None where that is not known."""


@attrs.frozen(slots=True, repr=False)
class StepTimeRecord(Legible):
    """Durations of the complete steps; all but their number are None without any."""

    steps: int
    mean_ps: int | None
    median_ps: int | None
    least_ps: int | None
    greatest_ps: int | None


@attrs.frozen(slots=True, repr=False)
class StallRecord(Legible):
    """How long devices waited for one cause, together."""

    cause: StallCause
    stalled_ps: int


@attrs.frozen(slots=True, repr=False)
class WallRecord(Legible):
    """The wall clock of an extent, summed over its devices: ``busy_ps`` + ``stalled_ps`` + ``idle_ps`` = ``wall_ps``.

    Busy: something was computed, or moved within a device. Stalled: what ran only waited, by cause in ``stalls``,
    longest first, or exchanged data with others. Idle: nothing ran, ``compiling_ps`` of it while the host compiled.
    """

    wall_ps: int
    busy_ps: int
    stalled_ps: int
    idle_ps: int
    compiling_ps: int
    stalls: tuple[StallRecord, ...]


@attrs.frozen(slots=True, repr=False)
class PlaceRecord(Legible):
    """A line of source, named as `LineRecord` names it."""

    path: str | None
    line: int


@attrs.frozen(slots=True, repr=False)
class FramePlace(Legible):
    """The line and the function of a frame: ``path`` as `LineRecord` names it, ``file`` where it is as far as known."""

    path: str | None
    file: str | None
    line: int
    function: str


@attrs.frozen(slots=True, repr=False)
class LineOpRecord(Legible):
    """What an op contributes to a line.

    ``shared`` says that the op's time was divided among several lines by estimated cost (``shared_with``: the
    other ones, longest first), ``inherited`` that the op has no source of its own and took the line of its
    neighbours in the dataflow. ``primitive`` is what was traced (``dot_general``) and ``scope`` the path of
    names before it; both are empty where the program has none. ``shape`` and ``operand_shapes`` are written as
    ``f32[8,128]``, a tuple as its first parts in brackets; empty where the profile carries no HLO. ``key`` is the op's.
    """

    key: str
    name: str
    category: str
    self_ps: int
    shared: bool
    executions: int
    program_id: str
    inherited: bool
    primitive: str
    scope: str
    shape: str
    operand_shapes: tuple[str, ...]
    shared_with: tuple[PlaceRecord, ...]
    phase: Phase | None = None
    """The one that most of the op belongs to."""
    stall: StallCause | None = None
    """What a device waits for while only the op runs; None where it computes."""
    has_estimate: bool = True
    """Whether its times are known: of a prediction those of kernels, sorts and asynchronous copies are not, and 0."""


@attrs.frozen(slots=True, repr=False)
class ExposureRecord(Legible):
    """A line whose wait for a result exposed what devices waited for: ``waiting_ps`` began as that wait was over."""

    path: str | None
    file: str | None
    line: int
    waiting_ps: int


@attrs.frozen(slots=True, repr=False)
class MeanwhileRecord(Legible):
    """Where another thread stood, in ``share_ratio`` of the time that devices waited for a line."""

    thread: str
    path: str | None
    file: str | None
    line: int
    function: str
    share_ratio: float


@attrs.frozen(slots=True, repr=False)
class SyncRecord(Legible):
    """A line at which the host waits for results in the complete steps.

    ``exposed_ps`` is the idle time that began as its waits were over, ``at_best_step_ps`` how long a step takes at best
    without them: as long as the host's own work, or the device's where that is more (a bound: other syncs may be left).
    ``shares_cores``: the device's ops run on the host's cores, which both then have to share.
    """

    path: str | None
    file: str | None
    line: int
    waits_per_step: float
    exposed_ps: int
    at_best_step_ps: int
    shares_cores: bool


@attrs.frozen(slots=True, repr=False)
class HostSpread(Legible):
    """The hosts on which something takes least and most of a step, and how long it takes there."""

    least_host: str
    least_per_step_ps: int
    greatest_host: str
    greatest_per_step_ps: int


@attrs.frozen(slots=True, repr=False)
class LineRecord(Legible):
    """One line of source. The five phases sum to ``self_ps``; ``inclusive_ps`` includes it.

    ``path`` is relative to the workspace root that holds the file, else as recorded, else None; ``file`` is
    where the file is, as far as known. ``executions`` counts the executions that charge the line.
    ``wall_ps`` is what ops of the line have of the wall clock of the devices, in equal parts where several ran at once:
    the self time of devices that run one op at a time, less where threads work side by side. ``waiting_ps`` is how long
    the devices were idle while the host stood on the line, by class in ``waiting_classes``; its ``basis`` is None
    without any. ``share_ratio`` is both together of the wall clock of the extent, ``waiting_share_ratio`` the waiting
    alone. ``inclusive_wall_ps``, ``waiting_inclusive_ps`` and ``inclusive_share_ratio`` are the same of all that the
    line called.

    What is per step is over steps and devices: ``per_step_ps`` of both together, ``inclusive_per_step_ps`` of their
    inclusive, ``waiting_per_step_ps`` of the waiting alone, ``op_time_per_step_ps`` of ``self_ps``. All are None where
    the extent has no steps. ``per_step_spread_ps`` is the standard deviation of both together over the complete steps,
    None with fewer than two of them. ``collective_wait_ps`` is how long the line's collectives waited for the last
    device to come, ``collective_move_ps`` how long they moved data then; None without any in which several devices met.
    ``host_spread`` is of what ops have of the wall clock, where there are several hosts. Where at most a quarter of the
    steps have nine tenths of it, ``few_steps`` is how many these are and ``few_steps_each_ps`` what each of them has on
    average; else both are None. ``cpu_ps`` is how long threads were on cores for ops of the line, which is known of
    XLA:CPU alone, where the clocks of its threads were read; ``cpu_per_step_ps`` is that per step and device.
    """

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    self_ps: int = 0
    inclusive_ps: int = 0
    wall_ps: int = 0
    inclusive_wall_ps: int = 0
    waiting_ps: int = 0
    waiting_inclusive_ps: int = 0
    waiting_classes: Mapping[WaitingClass, int] = attrs.field(factory=dict)
    basis: WaitingBasis | None = None
    share_ratio: float = 0.0
    inclusive_share_ratio: float = 0.0
    waiting_share_ratio: float = 0.0
    forward_ps: int = 0
    backward_ps: int = 0
    recompute_ps: int = 0
    optimizer_ps: int = 0
    other_ps: int = 0
    per_step_ps: int | None = None
    inclusive_per_step_ps: int | None = None
    waiting_per_step_ps: int | None = None
    per_step_spread_ps: int | None = None
    few_steps: int | None = None
    few_steps_each_ps: int | None = None
    op_time_per_step_ps: int | None = None
    collective_wait_ps: int | None = None
    collective_move_ps: int | None = None
    collective_wait_per_step_ps: int | None = None
    collective_move_per_step_ps: int | None = None
    host_spread: HostSpread | None = None
    cpu_ps: int | None = None
    cpu_per_step_ps: int | None = None
    executions: int = 0
    executions_per_step: float | None = None
    ops: tuple[LineOpRecord, ...] = ()
    exposed_by: tuple[ExposureRecord, ...] = ()
    """Longest first."""
    meanwhile: tuple[MeanwhileRecord, ...] = ()
    """Those where other threads stood longest."""


@attrs.frozen(slots=True, repr=False)
class FunctionRecord(Legible):
    """One function of the user's, all its lines together.

    ``self_ps`` is the sum over its lines; ``inclusive_ps`` the time of the ops whose user stack passes through
    it, each op counted once; ``wall_ps``, shares and what is per step are as `LineRecord` has them. ``line`` is the
    first of the ``lines`` that its frames name. Phases split ``self_ps``. Lines whose function was not recorded belong
    to none.
    """

    key: str
    path: str | None
    file: str | None
    function: str
    line: int
    lines: int
    self_ps: int
    inclusive_ps: int
    wall_ps: int
    inclusive_wall_ps: int
    waiting_ps: int
    waiting_inclusive_ps: int
    share_ratio: float
    inclusive_share_ratio: float
    forward_ps: int
    backward_ps: int
    recompute_ps: int
    optimizer_ps: int
    other_ps: int
    per_step_ps: int | None
    inclusive_per_step_ps: int | None


@attrs.frozen(slots=True, repr=False)
class StackRecord(Legible):
    """One user stack, the self time of the ops that have it, their part of the wall clock, and how long devices were
    idle while the host stood on it.

    ``lines`` are rows of `LinesRecord.lines`, innermost first, each once. The self times of all stacks sum to
    the attributed time, so the inclusive time of any set of lines is the sum over the stacks that meet it.
    """

    lines: tuple[int, ...]
    self_ps: int
    wall_ps: int
    waiting_ps: int = 0


@attrs.frozen(slots=True, repr=False)
class ExtentRecord(Legible):
    """What the sums of a record are over.

    ``steps`` are the complete steps that they are over, 0 where they are over anything else. ``duration_ps`` is the
    wall clock of that on one of the ``devices``, 0 for a program that did not run. ``has_steps``: the run has complete
    steps, whether the sums are over them or not.
    """

    kind: ExtentKind
    steps: int
    duration_ps: int
    devices: int
    has_steps: bool


@attrs.frozen(slots=True, repr=False)
class LinesRecord(ViewRecord):
    """The lines that the time of the ``extent`` went to, longest first, and what could not be placed.

    ``attributed_ps`` + ``unattributed_ps`` = ``op_time_ps``, exactly. The ``wall_ps`` of all lines sum with
    ``unattributed_wall_ps`` to the time of ``wall`` that was not idle, their ``waiting_ps`` with
    ``unattributed_waiting_ps`` to ``idle_ps``, its idle time, which the ``idle_classes`` sum to as well, all exactly.
    ``wall`` is None where nothing ran. ``steps``, their ``steps_wall_ps`` over all devices that ran anything in them,
    and ``step_time`` are of all complete steps, whatever the extent. ``cpu_ps`` is how long XLA's threads were on
    cores, and others for ops: the ``cpu_ps`` of all lines and ``unattributed_cpu_ps``, exactly; None where it is not
    known.
    """

    ROWS: ClassVar = "lines"

    extent: ExtentRecord
    wall: WallRecord | None
    op_time_ps: int
    attributed_ps: int
    unattributed_ps: int
    unattributed_wall_ps: int
    idle_ps: int
    idle_classes: Mapping[WaitingClass, int]
    unattributed_waiting_ps: int
    steps_wall_ps: int
    devices: tuple[DeviceRecord, ...]
    steps_source: str | None
    steps_name: str | None
    steps: tuple[StepRecord, ...]
    step_time: StepTimeRecord
    window: Mapping[str, Any]
    lines: tuple[LineRecord, ...]
    unattributed_ops: tuple[LineOpRecord, ...]
    functions: tuple[FunctionRecord, ...]
    stacks: tuple[StackRecord, ...]
    syncs: tuple[SyncRecord, ...] = ()
    """Those that exposed most first."""
    cpu_ps: int | None = None
    unattributed_cpu_ps: int | None = None
