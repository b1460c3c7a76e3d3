"""Records of compared trees: what each node of a view had before, and what it has now."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.compare.records import ComparedSide, JudgedBy, PairedBy, Verdict
from scopelight.analysis.flame.records import FlameKind
from scopelight.analysis.ops.records import OpProfileKind
from scopelight.analysis.records import Phase, ViewRecord

ComparedList = Literal["buffers", "snapshot", "stages", "variants"]
"""Tables whose rows can be compared: buffers of a program at its peak, what was alive at a snapshot, stages of the
input, programs of a function for other shapes."""

ComparedView = Literal["op-profile", "flame", "graph", ComparedList]
"""Views whose nodes can be compared."""

ComparedUnit = Literal["ps", "flops", "bytes"]

ComparedNodeKind = Literal[OpProfileKind, FlameKind, "rest", "buffer", "alive", "stage", "variant"]
"""What a node is in its view; ``rest`` is what has no node of its own."""


@attrs.frozen(slots=True)
class ComparedNode:
    """A node of both trees, or of one; ``before`` + ``change`` = ``after``, and None counts as nothing.

    ``key`` and ``parent`` are those of the view of the run after; of what is only before a key that the view has not,
    below the node that it was below. ``before`` and ``after`` have all that is below the node, ``before_self`` and
    ``after_self`` what is in none of that. All are in the unit of the record.

    ``interval`` (95 %), ``visible``, the smallest change that would have been seen nine times of ten, and
    ``judged_change_ratio`` are of what the change is ``judged_by``, which may be another clock than the amounts are of;
    None where there is no evidence. What a node is and where, is said of it as it is
    after or, of what is only before, as it was. ``op_key`` is that of an op after.
    """

    key: str
    parent: str | None
    depth: int
    kind: ComparedNodeKind
    label: str
    verdict: Verdict
    judged_by: JudgedBy
    before: int | None
    after: int | None
    change: int
    before_self: int | None
    after_self: int | None
    change_ratio: float | None = None
    judged_change_ratio: float | None = None
    interval: tuple[int, int] | None = None
    visible: int | None = None
    paired_by: PairedBy | None = None
    before_key: str | None = None
    op_key: str | None = None
    path: str | None = None
    file: str | None = None
    line: int | None = None
    function: str = ""
    category: str = ""
    primitive: str = ""
    phase: Phase | None = None


@attrs.frozen(slots=True)
class ComparedTreeRecord(ViewRecord):
    """A view of two runs node by node, each after the one above it. At every node children and what it has itself sum
    to it on both sides. A list has no node above another.

    Times and FLOPs are means of a step and a device over the rounds, of runs without complete steps those of the
    window, of a variant those of one run; bytes those at the peak, or at the snapshot. Of a part of a graph
    (``is_whole`` is false) only what is shown of it is here, and the totals are still those of all.
    """

    ROWS: ClassVar[str] = "nodes"

    view: ComparedView
    unit: ComparedUnit
    before: ComparedSide
    after: ComparedSide
    rounds: int
    has_steps: bool
    is_whole: bool
    total_before: int
    total_after: int
    nodes: tuple[ComparedNode, ...]
    whole: ComparedNode | None = None
    """All of it together, of an op profile without the idle time; None of a part, and where there is nothing."""
