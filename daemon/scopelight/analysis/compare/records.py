"""Records of a comparison: the tables of two runs, or of several rounds of two, joined row by row.

In every row, and in the totals, before + change = after, exactly: what is missing on one side counts as nothing there,
and is None. Times are means of a step and a device over the rounds, in whole picoseconds, of runs without complete
steps those of the window; bytes are those at the peak of a program's memory.
"""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import Phase, ViewRecord

ComparedBy = Literal["line", "op", "scope", "step", "memory", "shape"]
"""What the rows are: lines of source; ops; scopes of the program; what a step goes to; what lines have in memory at the
peak; the shapes that ops work on."""

Verdict = Literal["worse", "better", "same", "cannot-tell", "only-before", "only-after"]
"""More than before; less; no change that could be seen, and it would have been from `ComparedRow.visible_ps` on;
noise hides changes too large for that; the row has no counterpart."""

JudgedBy = Literal["exact", "device-time", "cpu-time", "wall-clock"]
"""What a verdict rests on. What a program says of itself is exact: one run each tells every change. The clock of an
accelerator, and the CPU time of threads where the CPU is the device, are steady: few rounds tell. Any other wall clock
is noisy: one run each tells nothing."""

PairedBy = Literal["text", "place", "function", "name"]
"""What makes two rows one: the line is unchanged; it stands where a changed line stood; it is what is left of the
same function; it has the same name."""

RowKind = Literal["line", "op", "scope", "part", "argument", "shape", "rest"]
"""What a row is; the ``rest`` is what has no line or scope."""

QuantityKind = Literal["exact", "steady", "noisy"]
"""`JudgedBy` of a quantity of whole runs."""

QuantityName = Literal[
    "step",
    "device-time",
    "cpu-time",
    "waiting",
    "predicted-step",
    "flops",
    "bytes",
    "ops",
    "compilations",
    "programs",
    "padding",
    "planned-peak",
    "collective-bytes",
]
"""Time of a step; of the ops of a step on a device; CPU time of a step; how long devices were idle in a step; what a
step is predicted to take; FLOPs, bytes moved and executions of ops in a step; compilations and programs of a run; the
share of the padded FLOPs that is padding; the planned peak of the program that needs most; bytes that collectives
move in a step."""


@attrs.frozen(slots=True)
class ComparedSide:
    """One side of a comparison: a run, or several rounds of one script.

    ``runs`` are their directories, ``revision`` the commit, short, where it is known. ``step_durations_ps`` has those
    of the complete steps of each run. ``step_ps`` is the mean over the runs of what the rows sum to with the rest.
    """

    name: str
    runs: tuple[str, ...]
    revision: str | None = None
    script: str | None = None
    devices: int = 0
    device: str = ""
    jax: str | None = None
    step_durations_ps: tuple[tuple[int, ...], ...] = ()


@attrs.frozen(slots=True)
class ComparedRow:
    """A row of both sides; ``path`` and ``line`` are where it is after or, of what is only before, where it was.

    ``before_key`` and ``after_key`` are its keys in the views of the runs; ``key`` is the latter, or the former of what
    is only before, so that no two rows share one. ``label`` is the text of a line, the name of a scope or part, or what
    an op is.

    ``judged_change_ratio``, its ``judged_interval`` (95 %, as ratios too) and ``visible_ratio``, the smallest change
    that would have been seen four times of five, are of what it is ``judged_by``: of CPU time where that is known of
    every run, though the change of the wall clock stands beside it. ``interval_ps`` and ``visible_ps`` are the same of
    ``change_ps`` where that is what was judged, ``interval_cpu_ps`` and ``visible_cpu_ps`` of ``change_cpu_ps`` where
    that was. None each where there is no evidence.
    ``controlled``: what happened to the rest of the run was taken out first.
    ``before_flops`` and ``after_flops`` are of a step; None where they are not known.
    """

    key: str
    kind: RowKind
    label: str
    path: str | None
    file: str | None
    line: int | None
    function: str
    before_key: str | None
    after_key: str | None
    before_path: str | None
    before_line: int | None
    paired_by: PairedBy | None
    verdict: Verdict
    judged_by: JudgedBy
    before_file: str | None = None
    phase: Phase | None = None
    before_ps: int | None = None
    after_ps: int | None = None
    change_ps: int | None = None
    change_ratio: float | None = None
    interval_ps: tuple[int, int] | None = None
    visible_ps: int | None = None
    interval_cpu_ps: tuple[int, int] | None = None
    visible_cpu_ps: int | None = None
    judged_change_ratio: float | None = None
    judged_interval: tuple[float, float] | None = None
    visible_ratio: float | None = None
    controlled: bool = False
    before_cpu_ps: int | None = None
    after_cpu_ps: int | None = None
    change_cpu_ps: int | None = None
    before_bytes: int | None = None
    after_bytes: int | None = None
    change_bytes: int | None = None
    before_flops: float | None = None
    after_flops: float | None = None
    flops_are_estimated: bool = False
    """Whether they are a line's part of ops that it shares with others."""
    before_executions: float | None = None
    after_executions: float | None = None


@attrs.frozen(slots=True)
class ComparedQuantity:
    """One figure of whole runs: mean over the rounds, and each of them.

    Values are in the unit of ``unit``. ``interval`` is of the change; ``visible_ratio`` the smallest change that would
    have been seen; both None of what is exact, or where there is no evidence.
    """

    name: QuantityName
    kind: QuantityKind
    unit: Literal["ps", "bytes", "flops", "count", "ratio"]
    before: float | None
    after: float | None
    change: float | None
    change_ratio: float | None
    verdict: Verdict
    interval: tuple[float, float] | None = None
    visible_ratio: float | None = None
    before_rounds: tuple[float | None, ...] = ()
    after_rounds: tuple[float | None, ...] = ()


@attrs.frozen(slots=True)
class ComparedTotals:
    """Sums of the rows: of times, or of bytes at the peak, whichever the rows have.

    ``paired_before_ps`` + ``only_before_ps`` = ``before_ps``, and so after. ``paired_ratio`` is the part of both
    sides together that has a counterpart.
    """

    before_ps: int | None = None
    after_ps: int | None = None
    change_ps: int | None = None
    paired_before_ps: int | None = None
    paired_after_ps: int | None = None
    only_before_ps: int | None = None
    only_after_ps: int | None = None
    before_bytes: int | None = None
    after_bytes: int | None = None
    change_bytes: int | None = None
    paired_ratio: float | None = None


@attrs.frozen(slots=True)
class ComparisonRecord(ViewRecord):
    """Two runs, or several rounds of two, row by row; those whose time or bytes changed most come first.

    ``rounds`` is how many were compared in pairs. ``quantities`` are figures of whole runs. ``has_steps``: times are
    of a step; else of the window. ``is_paired_in_rounds``: the runs were made in turn, a round each.
    """

    ROWS: ClassVar = "rows"
    # A change is no fact where it cannot be told from noise.
    FIRST_COLUMNS: ClassVar = (
        *("label", "path", "line", "before_ps", "change_ps", "after_ps", "before_bytes", "change_bytes", "after_bytes"),
        *("verdict", "judged_by", "change_ratio", "visible_ps", "before_cpu_ps", "change_cpu_ps", "after_cpu_ps"),
    )

    by: ComparedBy
    before: ComparedSide
    after: ComparedSide
    rounds: int
    has_steps: bool
    is_paired_in_rounds: bool
    rows: tuple[ComparedRow, ...]
    totals: ComparedTotals
    quantities: tuple[ComparedQuantity, ...]
