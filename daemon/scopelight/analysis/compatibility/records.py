"""Records of compatibility: what a TPU would do with each op of a run that was predicted, and why not."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import Phase, ViewRecord
from scopelight.model.run.compatibility import JudgedBy, OpVerdict
from scopelight.model.run.prediction import PredictedOutcome

PlaceKind = Literal["program", "function", "line", "scope"]
"""What ops are counted by."""

Cause = Literal[
    "wide-numbers",
    "complex-numbers",
    "float8-numbers",
    "callback",
    "host-compute",
    "decomposition",
    "no-lowering",
    "size-unknown",
    "value-asked",
    "block-shape",
    "vector-memory",
    "main-memory",
    "custom-call",
    "triton",
    "fft-of-doubles",
    "dot-algorithm",
    "wide-rewrite",
    "partitioning",
    "compiler-ended",
    "reference",
    "devices",
    "not-asked",
    "cancelled",
    "other",
]
"""Why an op is not native, where it is one of the usual reasons."""


@attrs.frozen(slots=True)
class CompatibilityPlace:
    """A program, function, line or scope, and how many of its ops the TPU computes, and how.

    An op is an equation of jax's: it counts once where it stands, however often a loop repeats it. ``ops`` are
    ``native`` + ``emulated`` + ``on_host`` + ``refused`` + ``unjudged``; ``valid_ratio`` is the share of the first
    three, which the TPU computes as the script says it. ``unjudged`` ones count as not valid: nothing says that they
    are.

    ``name`` is the program's, function's or scope's; empty for a line. What is in a scope includes what is in scopes
    within it, a function's and a line's are their own. ``outcome`` and ``message`` are of a program alone, ``programs``
    is how many have it.
    """

    key: str
    kind: PlaceKind
    name: str
    path: str | None
    file: str | None
    line: int | None
    ops: int
    native: int
    emulated: int
    on_host: int
    refused: int
    unjudged: int
    valid_ratio: float
    programs: int = 1
    outcome: PredictedOutcome | None = None
    message: str = ""


@attrs.frozen(slots=True)
class CompatibilityOp:
    """Ops of one kind on one line and in one scope that the TPU does not compute as they are, or nobody knows.

    There are ``count`` of them, in ``programs``, by their names. ``operands`` and ``results`` are shapes,
    ``parameters`` what a person reads of the rest, ``wide`` the element types that the TPU does not have. ``sentence``
    is the gist of ``message``, which jax or the compiler raised as ``kind_of_error``; both are empty where nothing was
    said.
    """

    key: str
    line_key: str | None
    verdict: OpVerdict
    primitive: str
    count: int
    path: str | None
    file: str | None
    line: int | None
    function: str
    scope: str
    phase: Phase | None
    programs: tuple[str, ...]
    operands: tuple[str, ...]
    results: tuple[str, ...]
    parameters: str
    wide: tuple[str, ...]
    judged_by: JudgedBy
    cause: Cause
    sentence: str
    message: str
    kind_of_error: str


@attrs.frozen(slots=True)
class CompatibilityRecord(ViewRecord):
    """What the TPU ``target`` (a ``device``) does with each op, by place, those with most that is not valid first.

    ``total`` is None where there are no ops. ``ops`` are those that are not native, refused ones first. A call that
    could not be traced counts as one refused op of its line and function; it is in no program.
    """

    ROWS: ClassVar[str] = "ops"
    FIRST_COLUMNS: ClassVar = ("primitive", "verdict", "count", "path", "line", "sentence")

    target: str
    device: str
    total: CompatibilityPlace | None = None
    ops: tuple[CompatibilityOp, ...] = ()
    programs: tuple[CompatibilityPlace, ...] = ()
    functions: tuple[CompatibilityPlace, ...] = ()
    lines: tuple[CompatibilityPlace, ...] = ()
    scopes: tuple[CompatibilityPlace, ...] = ()
