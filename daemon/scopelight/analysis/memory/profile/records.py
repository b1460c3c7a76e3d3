"""Records of memory while a script ran: samples, what lived at the peak, snapshots by line, running out of memory."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import FramePlace, Phase, ViewRecord
from scopelight.findings import Finding

MemoryKind = Literal["accelerator", "host", "process"]
"""Memory of a device, host memory that an allocator manages for devices, or all memory of the script's process."""

MemorySource = Literal["allocator events", "samples"]
"""Whether every allocation was recorded, or what was in use was asked for from time to time."""

BreakdownBasis = Literal["measured", "joined"]
"""Whether the allocator itself says so, or its sums were joined with what is known of the program that ran."""

MemoryActivity = Literal["allocation", "deallocation"]
"""What the allocator did at a sample."""

OutOfMemoryStage = Literal["compile", "run"]
"""When memory ran out: the compiler found no room for a program, or a running script found none."""

CulpritBasis = Literal["compiler", "snapshot", "traceback"]
"""Who names a culprit: the compiler's list of buffers, the last snapshot of live arrays, or the script's traceback."""


@attrs.frozen(slots=True)
class MemorySample:
    """What a memory held at a moment.

    ``time_ps`` counts as all times of a `MemoryProfileRecord` do. ``stack_bytes`` are reserved for programs,
    ``heap_bytes`` allocated for arrays and what programs need besides (of a process: resident), ``free_bytes`` left.
    ``fragmentation_ratio`` is the share of the free memory that is not in its largest piece. The fields from
    ``activity`` on tell what the allocator did then and for whom; ``step`` is the step that it was in.
    """

    time_ps: int
    stack_bytes: int | None
    heap_bytes: int
    free_bytes: int | None = None
    fragmentation_ratio: float | None = None
    activity: MemoryActivity | None = None
    requested_bytes: int | None = None
    allocated_bytes: int | None = None
    step: str | None = None
    op: str | None = None
    region: str | None = None
    data_type: str | None = None
    shape: str | None = None


@attrs.frozen(slots=True)
class MemoryBreakdownRow:
    """A part of what was in use at the peak; ``count`` allocations of one kind together.

    ``line_key`` is the key of its line, ``op_key`` the `OpRow.key` of the op that makes it; None where it has none.
    ``path`` is relative to the workspace root that holds the file, else as recorded; ``file`` is where the file is, as
    far as known.
    """

    op: str
    bytes: int
    basis: BreakdownBasis = "measured"
    requested_bytes: int | None = None
    count: int = 1
    region: str | None = None
    data_type: str | None = None
    shape: str | None = None
    line_key: str | None = None
    op_key: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    primitive: str = ""
    """The operation of jax that ``op`` names; empty where none is known."""
    phase: Phase | None = None
    """Of the op."""
    findings: tuple[Finding, ...] = ()
    """What a part of a memory is that is of no one op, which is then empty."""


@attrs.frozen(slots=True)
class MemoryStep:
    """A step, to be laid over the samples."""

    name: str
    start_ps: int
    end_ps: int


@attrs.frozen(slots=True)
class MemoryRecord:
    """One memory over time.

    ``capacity_bytes`` is all that programs can have of it, as its allocator says; of a process what the machine or its
    control group has. None where nothing says it. ``peak_bytes`` is the most in use (stack and heap) of all that is
    recorded here, at ``peak_ps``; ``window_peak_bytes``, at ``window_peak_ps``, the most while the run was captured,
    None where no sample was taken then. ``lifetime_peak_bytes`` is the most since the process began, as its allocator
    says or any of the ``sample_count`` samples. ``samples`` are at most 1000, of each group of neighbours the one with
    most in use. ``breakdown`` says what was in use at the peak, most first: its bytes sum to ``peak_bytes``; what
    nothing tells of is a row of its own.
    """

    id: str
    name: str
    kind: MemoryKind
    source: MemorySource
    capacity_bytes: int | None
    peak_bytes: int
    peak_ps: int
    window_peak_bytes: int | None
    window_peak_ps: int | None
    lifetime_peak_bytes: int | None
    samples: tuple[MemorySample, ...]
    breakdown: tuple[MemoryBreakdownRow, ...]
    steps: tuple[MemoryStep, ...]
    sample_count: int


@attrs.frozen(slots=True)
class MemorySnapshotRow:
    """What a snapshot has of arrays or programs made by one line.

    The line is the innermost of the user's in ``stack``, which holds the user's frames, innermost first; None, with an
    empty stack, where none is. ``kind`` is the pprof file's own word: ``buffer`` or ``executable``. ``count`` things
    take ``bytes`` on ``device``; ``unknown_count`` of them are of unknown size. ``key`` names the row in snapshots of
    another run too; ``line_key`` is that of the line.
    """

    key: str
    bytes: int
    count: int
    unknown_count: int
    kind: str = ""
    device: str = ""
    stack: tuple[FramePlace, ...] = ()
    line_key: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    function: str = ""


@attrs.frozen(slots=True)
class MemorySnapshot:
    """What was alive at a moment, by the lines that made it, most bytes first.

    ``bytes`` is the sum of the rows. ``cost_ms`` is the time for which the snapshot may have held up the script.
    """

    name: str
    time_ps: int | None
    bytes: int
    cost_ms: float | None
    rows: tuple[MemorySnapshotRow, ...]


@attrs.frozen(slots=True)
class OutOfMemoryCulprit:
    """What took memory when there was no more, or asked for it: ``findings`` say which, and how many arrays."""

    path: str | None
    file: str | None
    line: int | None
    function: str
    bytes: int | None
    findings: tuple[Finding, ...]
    basis: CulpritBasis


@attrs.frozen(slots=True)
class OutOfMemoryRecord:
    """A run that ended for want of memory.

    ``message`` is what was raised, ``requested_bytes`` what was asked for and ``limit_bytes`` what there is, each where
    the message says. The first of ``culprits`` is the one to look at. The errors in ``findings`` say
    how, and what held most of the memory; the rest is what helps.
    """

    message: str
    requested_bytes: int | None
    limit_bytes: int | None
    stage: OutOfMemoryStage
    culprits: tuple[OutOfMemoryCulprit, ...]
    findings: tuple[Finding, ...]


@attrs.frozen(slots=True)
class MemoryProfileRecord(ViewRecord):
    """Every memory of a run over time, its snapshots, and how it ran out of memory if it did.

    Times count from the first sample, snapshot or event of the profile that there is: none is negative. ``trace_ps`` is
    the profile's first event, which the times of all other records count from; None where nothing was traced.
    """

    ROWS: ClassVar = "memories"

    memories: tuple[MemoryRecord, ...]
    snapshots: tuple[MemorySnapshot, ...]
    trace_ps: int | None
    out_of_memory: OutOfMemoryRecord | None
