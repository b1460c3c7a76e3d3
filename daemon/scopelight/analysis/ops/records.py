"""Records of ops: what each cost, and how well it used the device.

FLOPs, bytes and times of a row are totals over its executions unless the name says otherwise, so that a rate is a
quotient of two fields. Unknown is None, never 0; a ratio is None where one of its two quantities is.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal

import attrs

from scopelight.analysis.padding.records import MatrixUnitRecord, PaddingRow
from scopelight.analysis.records import (
    FORMAT_VERSION,
    Basis,
    DeviceRecord,
    ExtentRecord,
    FramePlace,
    Phase,
    ViewRecord,
    WallRecord,
)
from scopelight.findings import Finding
from scopelight.program.hlo.tiling import DimensionPadding

OpSide = Literal["device", "host", "callback"]
"""Where an op's work is done: on the device, by the host on its behalf, or by Python called back from it."""

OpProfileGrouping = Literal["category", "program", "scope", "line"]
"""What the tree of an op profile is grouped by."""

OpProfileKind = Literal["total", "category", "program", "scope", "line", "op", "element", "idle"]
"""What a node of an op profile stands for. An ``element`` is an instruction inside a fusion; it has no time."""


@attrs.frozen(slots=True)
class PeakRecord:
    """What a device can do at most.

    ``flops_per_s`` is by element type (``bf16``, ``f32``), ``bytes_per_s`` by memory space (``main`` is HBM, GDDR or
    DRAM). ``basis`` says whether the profile states the figures, states them but for a figure that was corrected, they
    are from a table, were measured on this machine, or set by the user; ``sources`` say where from. ``from_table`` are
    the element types and memory spaces whose figures are from the table although others are stated, ``corrected`` the
    memory spaces whose stated figures are known to be wrong. ``cache_bytes_per_s`` is what was measured of a CPU's
    caches, which is no limit of any op.
    """

    device: str
    kind: str
    flops_per_s: Mapping[str, float]
    bytes_per_s: Mapping[str, float]
    memory_bytes: int | None
    basis: Literal["stated", "corrected", "table", "calibrated", "setting"]
    sources: tuple[Finding, ...]
    from_table: tuple[str, ...] = ()
    corrected: tuple[str, ...] = ()
    model: str = ""
    """What the device is called in full: ``TPU v6e``."""
    cache_bytes_per_s: float | None = None


@attrs.frozen(slots=True)
class OpRow:
    """One op: an HLO instruction or kernel that ran, all its executions on the chosen devices together.

    ``flops`` is what ran, ``model_flops`` without what was computed again and the padding of windows,
    ``padded_flops`` with sizes rounded up to the matrix unit. ``bytes`` is over all memory spaces, ``bytes_by_space``
    splits it. ``element_type`` is that of the arithmetic, by which the peak is chosen. Utilisations are of that peak;
    more than 1 is faster than it. ``bound_by`` is ``compute`` or the memory space that the roofline limits the op by.
    ``wasted_ps`` is the self time times one less the better of the two utilisations. ``key`` names the op in every
    view of a run, and in another run of the code; ``program_key`` its program. ``path`` and ``line`` are the line
    that took most of its time, ``shared`` says that others took the rest. ``scope`` is the path of names around it
    without what jax adds: ``block [backward]/mlp``. ``wall_ps`` is the wall clock that the self time took: less than it
    only where several threads worked for one execution at once. Rates and utilisations are over it. An
    ``asynchronous`` op only starts or awaits work that goes on beside other ops: what it moves over its own time is
    no rate, and its utilisations are not known. ``notes`` are sentences on how its figures are to be read.
    """

    key: str
    program_key: str
    program: str
    program_id: str
    name: str
    category: str
    opcode: str
    op_name: str
    primitive: str
    scope: str
    phase: Phase
    side: OpSide
    shape: str
    operand_shapes: tuple[str, ...]
    path: str | None
    file: str | None
    line: int | None
    function: str
    shared: bool
    executions: int
    executions_per_step: float | None
    self_ps: int
    wall_ps: int
    mean_ps: float
    least_ps: int
    greatest_ps: int
    per_step_ps: int | None
    share_ratio: float
    flops: int | None
    model_flops: int | None
    padded_flops: int | None
    transcendentals: int | None
    bytes: int | None
    bytes_by_space: Mapping[str, int]
    basis: Basis
    element_type: str
    flop_utilisation_ratio: float | None
    bandwidth_utilisation_ratio: float | None
    bound_by: str | None
    wasted_ps: int | None
    asynchronous: bool = False
    findings: tuple[Finding, ...] = ()
    has_estimate: bool = True
    """Whether its times are known: of a prediction those of kernels, sorts and asynchronous copies are not, and 0."""
    cpu_ps: int | None = None
    """How long threads were on cores for it; None where that is not known, as of all devices but the CPU."""
    cpu_per_step_ps: int | None = None


@attrs.frozen(slots=True)
class OpsRecord(ViewRecord):
    """Every op that ran, longest self time first.

    Sums are over the ``extent``; what is per step is None where that has no steps.
    ``utilisation_reason`` and ``utilisation_remedy`` say why rates have no peak to be held against; None where they
    have one.
    """

    FIRST_COLUMNS: ClassVar = (
        *("name", "primitive", "path", "line", "self_ps", "share_ratio", "executions", "flops", "bytes"),
        *("flop_utilisation_ratio", "bandwidth_utilisation_ratio", "bound_by", "basis"),
    )

    op_time_ps: int
    window_ps: int
    steps: int
    devices: tuple[DeviceRecord, ...]
    device: str | None
    """The one device that was asked for; None for all of them."""
    extent: ExtentRecord
    matrix_unit: MatrixUnitRecord | None
    """What ``padded_flops`` are rounded up to; None where neither the devices nor the chosen target have one."""
    peaks: tuple[PeakRecord, ...]
    rows: tuple[OpRow, ...]


@attrs.frozen(slots=True)
class ArrayRecord:
    """An operand or the result of an op: ``role`` is ``result`` or the operand's name.

    ``layout`` is written as XLA does (``{1,0:T(8,128)}``), empty where the profile has none. ``dims`` have tiles where
    the layout, or the chosen target, has them; ``padded_bytes`` is then the size with them.
    """

    role: str
    shape: str
    layout: str
    space: str
    bytes: int
    padded_bytes: int
    dims: tuple[DimensionPadding, ...]
    used_ratio: float
    predicted: bool


@attrs.frozen(slots=True)
class OpElementRecord:
    """An instruction inside a fusion, and the share of the fusion's time that it is estimated to have taken."""

    name: str
    opcode: str
    primitive: str
    shape: str
    flops: int | None
    share_ratio: float | None
    path: str | None
    file: str | None
    line: int | None


@attrs.frozen(slots=True)
class OpOnHost:
    """An op on one host, or on one device where all are of one host: means of a step and a device.

    ``wait_ps`` is how long it waited for the last device to come, ``move_ps`` how long it moved data then; None each of
    what is no collective.
    """

    name: str
    executions: int
    self_ps: int
    wait_ps: int | None = None
    move_ps: int | None = None


@attrs.frozen(slots=True)
class OpCardRecord:
    """Everything that is known of one op. ``expression`` is its HLO as text; ``stack`` is innermost first; ``hosts``
    are there where several ran it.

    ``counters`` are what the backend measured beyond time (``occupancy``, ``registers``), name and value as text.
    """

    op: OpRow
    peak: PeakRecord | None
    expression: str
    arrays: tuple[ArrayRecord, ...]
    matrix_unit: tuple[PaddingRow, ...]
    elements: tuple[OpElementRecord, ...]
    stack: tuple[FramePlace, ...]
    counters: Mapping[str, str]
    hosts: tuple[OpOnHost, ...] = ()
    format_version: int = FORMAT_VERSION


@attrs.frozen(slots=True)
class OpProfileRow:
    """A node of the tree. Rows are in preorder: the children of a row follow it with a greater ``depth``.

    ``key`` is unique in the tree; ``op_key`` is the `OpRow.key` of an op, and of the fusion that an element is in. An
    op whose time is shared among lines stands under each of them. ``share_ratio`` is of the whole tree's time, idle
    included. ``wall_ps`` is what rates are over. ``wasted_ps`` sums over the ops below; utilisations of a group take
    what is not known as nothing, so that they are at least that; more than 1 is faster than the peak, of which a
    finding of the record says why. ``asynchronous`` is as in `OpRow`, of a group where all or most of its ops' work is.
    ``utilisation_is_least`` says that some FLOPs have no known peak: more of compute was used than is known, and what
    was wasted of their ops' time is left out. ``wasted_is_least``: of some of the time it is not known what was wasted.
    ``file`` and ``line`` are where an op or line is.
    """

    key: str
    op_key: str | None
    depth: int
    kind: OpProfileKind
    label: str
    category: str
    path: str | None
    file: str | None
    line: int | None
    executions: int | None
    self_ps: int | None = None
    wall_ps: int | None = None
    share_ratio: float | None = None
    wasted_ps: int | None = None
    flops: int | None = None
    bytes: int | None = None
    flop_utilisation_ratio: float | None = None
    bandwidth_utilisation_ratio: float | None = None
    bound_by: str | None = None
    asynchronous: bool = False
    findings: tuple[Finding, ...] = ()
    utilisation_is_least: bool = False
    wasted_is_least: bool = False
    primitive: str = ""
    """The operation of jax of an op or element; empty where none is known."""
    phase: Phase | None = None
    """Of an op."""
    has_estimate: bool = True
    """As in `OpRow`, of a group where any op below has one."""


@attrs.frozen(slots=True)
class OpProfileRecord(ViewRecord):
    """The op profile in one grouping.

    The first row is the total: all op time of the ``extent``, and the time in which no op ran.
    """

    grouping: OpProfileGrouping
    extent: ExtentRecord
    op_time_ps: int
    wall: WallRecord | None
    """What the devices did in the extent; None where nothing ran."""
    rows: tuple[OpProfileRow, ...]


@attrs.frozen(slots=True)
class FlopsRow:
    """FLOPs of the whole model (depth 0), of a scope, or of an op (``key`` is then its `OpRow.key`).

    Rows are in preorder. ``wall_ps`` is the time that the rates are over: that of the complete steps, over all
    devices, or the window without steps. ``mfu_ratio`` is model FLOPs over wall time and peak, ``hfu_ratio`` executed
    FLOPs, each by the peak of the type they ran in. ``padding_waste_ratio`` is one less executed over padded FLOPs,
    ``recompute_ratio`` the share of the executed FLOPs that was computed again. FLOPs are None where those of no op
    below are known.
    """

    key: str
    depth: int
    kind: Literal["model", "scope", "op"]
    label: str
    path: str | None
    file: str | None
    line: int | None
    phase: Phase | None
    self_ps: int
    flops: int | None
    model_flops: int | None
    padded_flops: int | None
    unknown_ps: int
    """Self time of the ops below whose FLOPs are not known."""
    flops_per_s: float | None
    mfu_ratio: float | None
    hfu_ratio: float | None
    padding_waste_ratio: float | None
    recompute_ratio: float | None
    utilisation_is_least: bool = False
    """Some FLOPs have no known peak: ``mfu_ratio`` and ``hfu_ratio`` count them as nothing."""
    primitive: str = ""
    """The operation of jax of an op or element; empty where none is known."""


@attrs.frozen(slots=True)
class FlopsRecord(ViewRecord):
    """FLOPs over the scopes of the program, over the ``extent``. The first row is the whole model."""

    extent: ExtentRecord
    wall_ps: int
    steps: int
    matrix_unit: MatrixUnitRecord | None
    """What ``padded_flops`` are rounded up to; None where neither the devices nor the chosen target have one."""
    peaks: tuple[PeakRecord, ...]
    rows: tuple[FlopsRow, ...]


@attrs.frozen(slots=True)
class RooflineRow:
    """A point: an op (``op_key`` is its `OpRow.key`), or a program, in one memory space.

    ``intensity_flops_per_byte`` is FLOPs over bytes of the space, ``flops_per_s`` FLOPs over the op's wall clock (for a
    program over the time of its runs), ``limit_flops_per_s`` the limit there. ``efficiency_ratio`` is the greatest
    utilisation of compute and memory; more than 1 is faster than the peak, of which a finding of the record says why.
    """

    key: str
    kind: Literal["op", "program"]
    label: str
    space: str
    element_type: str
    self_ps: int
    share_ratio: float
    flops: int
    bytes: int
    intensity_flops_per_byte: float
    flops_per_s: float
    bytes_per_s: float
    limit_flops_per_s: float | None
    efficiency_ratio: float | None
    bound_by: str | None
    category: str = ""
    op_key: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    findings: tuple[Finding, ...] = ()
    utilisation_is_least: bool = False
    """Some FLOPs of the program have no known peak, so that ``efficiency_ratio`` is at least that."""
    primitive: str = ""
    """The operation of jax of an op or element; empty where none is known."""
    phase: Phase | None = None
    """Of an op."""
    program_id: str = ""
    """Of a program: tells those of one name apart."""


@attrs.frozen(slots=True)
class RooflineRoof:
    """The roof of one element type and memory space. ``ridge_flops_per_byte`` is where the two limits meet."""

    element_type: str
    space: str
    flops_per_s: float
    bytes_per_s: float
    ridge_flops_per_byte: float


@attrs.frozen(slots=True)
class RooflineCeiling:
    """How fast bytes of a memory ``space`` move where ``source`` holds them: ``caches``.

    It lies above the roof of the space, under which alone an op is bound: no op is bound by it.
    """

    source: Literal["caches"]
    space: str
    bytes_per_s: float


@attrs.frozen(slots=True)
class RooflineRecord(ViewRecord):
    """Points, roofs, and ceilings above the slopes of the roofs, over the ``extent``.

    ``unknown_ps`` is the self time of the ops without a point: their FLOPs or bytes are not known, 0, or not computed
    and moved in their own time.
    """

    FIRST_COLUMNS: ClassVar = ("label", "self_ps", "share_ratio", "bound_by", "efficiency_ratio", "path", "line")

    extent: ExtentRecord
    op_time_ps: int
    unknown_ps: int
    roofs: tuple[RooflineRoof, ...]
    peaks: tuple[PeakRecord, ...]
    rows: tuple[RooflineRow, ...]
    ceilings: tuple[RooflineCeiling, ...] = ()
