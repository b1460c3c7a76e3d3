"""Records of the overview."""

from collections.abc import Mapping
from typing import ClassVar, Literal

import attrs

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.ops.records import PeakRecord
from scopelight.analysis.records import (
    DeviceRecord,
    ExtentRecord,
    StepTimeRecord,
    ViewRecord,
    WaitingBasis,
    WaitingClass,
)
from scopelight.findings import Finding

StepPart = Literal[
    "compute", "communication", "input", "sync", "transfer", "compile", "dispatch", "python", "unexplained"
]
"""What the wall clock of a step went to: ops computed; devices only exchanged data; they waited for input, while the
host read a result, for data to be moved, for the compiler, to be launched, for other Python; or for what is not known.
Input is all that feeds the steps, whatever its class; else each is what lines have of its classes."""

SummaryQuantity = Literal[
    "step", "device-idle", "host-idle", "model-flops", "executed-flops", "bandwidth", "input", "memory"
]
"""How long a step takes; the share of the steps in which devices ran nothing, or no thread of the script had a core;
what of the peak of computing the model's FLOPs, and all that ran, came to; what of the main memory's bandwidth; how
much of the steps waited for input; the most that was in memory."""


@attrs.frozen(slots=True)
class SummaryFigure:
    """One figure of the performance: ``value`` in ps, a ratio or bytes, as its quantity has it; None where unknown.

    ``whole`` is what a ratio is of, in the same unit as what it is a part of; ``basis`` whether it was measured.
    What is ``predicted`` rests on the times of a device that ran nothing.
    """

    quantity: SummaryQuantity
    value: float | None
    basis: Literal["measured", "estimated", "predicted", "unknown"]
    sigma: float | None = None
    least: float | None = None
    greatest: float | None = None
    at_least: bool = False


@attrs.frozen(slots=True)
class OverviewStep:
    """A complete step; ``parts`` sum to ``wall_ps``, its duration on each of the devices, exactly.

    ``number`` counts from 1, ``start_ps`` from the profile's first event. ``is_outlier``: it took much longer, or
    shorter, than most. ``is_steady``: nothing was compiled in it.
    """

    number: int
    start_ps: int
    duration_ps: int
    wall_ps: int
    parts: Mapping[StepPart, int]
    is_outlier: bool
    is_steady: bool


@attrs.frozen(slots=True)
class OverviewLine:
    """A line that ops ran for, or that devices waited for: ``per_step_ps`` of the wall clock; ``cumulative_ratio``
    with all lines before it. ``kind`` is the class of most of its waiting; None of a line whose ops ran."""

    key: str
    path: str | None
    file: str | None
    line: int
    function: str
    time_ps: int
    per_step_ps: int | None
    share_ratio: float
    cumulative_ratio: float
    kind: WaitingClass | None = None
    basis: WaitingBasis | None = None


@attrs.frozen(slots=True)
class OverviewOp:
    """An op of those that took longest; ``share_ratio`` is of the op time, ``cumulative_ratio`` with those before."""

    key: str
    name: str
    primitive: str
    category: str
    self_ps: int
    per_step_ps: int | None
    share_ratio: float
    cumulative_ratio: float
    flops_per_s: float | None
    path: str | None
    file: str | None
    line: int | None


@attrs.frozen(slots=True)
class OpKind:
    """All ops of one category; of the last, which has no name, those of all others."""

    category: str
    self_ps: int
    share_ratio: float


@attrs.frozen(slots=True)
class RunEnvironment:
    """What a run ran on, as far as it is recorded.

    ``batch_size`` is the leading size that the arguments called ``batch_arguments`` share, which no result of the
    program has the shape of; where it changes, it is up to ``batch_size_most``. ``flags`` are variables of the
    environment and options of jax that change how it works.
    """

    hosts: int
    devices: tuple[DeviceRecord, ...]
    cores: int | None = None
    usable_cores: float | None = None
    memory_bytes: int | None = None
    batch_size: int | None = None
    batch_size_most: int | None = None
    batch_arguments: tuple[str, ...] = ()
    versions: Mapping[str, str] = attrs.field(factory=dict)
    flags: Mapping[str, str] = attrs.field(factory=dict)
    command: tuple[str, ...] = ()
    folder: str | None = None
    python: str | None = None
    platform: str | None = None
    created: str | None = None
    git_commit: str | None = None
    git_dirty: bool | None = None


@attrs.frozen(slots=True)
class BusyCurve:
    """How much of each part of the window, of equal lengths, a device was busy, stalled and idle; None untraced."""

    device: str
    busy_ratios: tuple[float, ...]


@attrs.frozen(slots=True)
class MemoryCurve:
    """What a memory held at moments of the window, and the most that it can; the greatest of what lies between."""

    name: str
    times_ps: tuple[int, ...]
    used_bytes: tuple[int, ...]
    peak_bytes: int
    capacity_bytes: int | None


@attrs.frozen(slots=True)
class OverviewRecord(ViewRecord):
    """One page on a run, of all devices or of one.

    Parts of the ``steps`` sum to their wall clock, and ``parts`` to that of all of them, exactly. Of the rest each is
    the first of what a view of its own has in whole.
    """

    ROWS: ClassVar = "steps"

    extent: ExtentRecord
    device: str | None
    device_names: tuple[str, ...]
    step_time: StepTimeRecord
    steps_source: str | None
    summary: tuple[SummaryFigure, ...]
    parts: Mapping[StepPart, int]
    steps: tuple[OverviewStep, ...]
    lines: tuple[OverviewLine, ...]
    waiting_lines: tuple[OverviewLine, ...]
    ops: tuple[OverviewOp, ...]
    op_time_ps: int
    kinds: tuple[OpKind, ...]
    environment: RunEnvironment
    advice: tuple[Advice, ...]
    advice_left_out: int
    effects: tuple[Finding, ...] = ()
    peaks: tuple[PeakRecord, ...] = ()
    busy: tuple[BusyCurve, ...] = ()
    memories: tuple[MemoryCurve, ...] = ()
    window_ps: int = 0
