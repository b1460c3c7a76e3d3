"""Records of the graph of programs: nodes, what they hand each other, and the way to where one is."""

from typing import ClassVar, Literal

import attrs

from scopelight.analysis.records import Basis, ExtentRecord, Phase, ViewRecord

MOST_NODES = 400
"""Of one answer: a page draws no more, and a person reads far fewer."""

GraphLevel = Literal["lines", "scopes", "ops"]
"""Lines of source by phase; scopes, and the layers of a loop of Python; the ops around one of them."""

GraphNodeKind = Literal["line", "scope", "op", "hub", "rest", "outside"]
"""A line in one phase; a group of ops; an op; one with so many neighbours that they are not followed; what there was no
room for, together; the loop, branch or call that the ops lie in, which gives them values and takes their results."""

GraphEdgeKind = Literal["data", "inside"]
"""One hands its result to the other; or what crosses the border of the op that the other ones lie in."""

GraphOverlay = Literal["time", "bytes", "padding", "memory", "compatibility"]
"""What nodes can have figures of."""


@attrs.frozen(slots=True)
class Compatibility:
    """How many of a node's ops a TPU would compute, and how; ``unjudged`` are those of which that cannot be told."""

    native: int
    emulated: int
    on_host: int
    refused: int
    unjudged: int


@attrs.frozen(slots=True)
class GraphNode:
    """A node. What is unknown, or does not apply to its kind, is None; what a program that did not run has no time.

    ``key`` is opaque and stays as it is when the program is compiled again. That of an op is its key in every other
    view; an asynchronous one is one node, its start and its end together, with the key of its start. ``line_key`` is
    the line's in other views. ``ops`` are the instructions in it, parameters, constants and the like left out.
    ``repeated``: so many equal siblings are shown as this one, whose figures are theirs together. ``trip_count`` is a
    loop's, where it is known.

    ``parent`` is the key of the opened node that it lies in. ``can_open``: there is something inside, or it is a hub,
    which has so many neighbours that they are not followed unless it is opened (``is_hub``). ``is_open``: what is
    inside is among the nodes, or the hub is followed. ``producers`` and ``consumers`` are how many it has in what it
    lies in, ``left_out`` how many of its neighbours, or of the nodes that a ``rest`` stands for, are not shown.
    ``distance`` is from the op in the middle.

    ``self_ps`` and ``executions`` are of the extent; inside a fusion the time is divided by estimated cost.
    ``bytes`` are those that its executions moved, in a program that did not run those that one run of it would.
    ``padded_bytes`` is what the arrays that it makes take in memory and ``padding_bytes`` what of that is padding.
    ``memory_at_peak_bytes`` is what of its results is in memory when the program takes the most.
    """

    key: str
    name: str
    kind: GraphNodeKind
    path: str | None = None
    file: str | None = None
    line: int | None = None
    line_key: str | None = None
    function: str = ""
    phase: Phase | None = None
    self_ps: int | None = None
    share_ratio: float | None = None
    executions: int | None = None
    opcode: str = ""
    primitive: str = ""
    shape: str = ""
    scope: str = ""
    ops: int = 1
    repeated: int = 1
    trip_count: int | None = None
    is_open: bool = False
    can_open: bool = False
    is_hub: bool = False
    parent: str | None = None
    producers: int = 0
    consumers: int = 0
    distance: int | None = None
    bytes: int | None = None
    padded_bytes: int | None = None
    padding_bytes: int | None = None
    padding_ratio: float | None = None
    memory_at_peak_bytes: int | None = None
    basis: Basis | None = None
    """Of the time: None where there is none."""
    compatibility: Compatibility | None = None
    left_out: int = 0


@attrs.frozen(slots=True)
class GraphEdge:
    """What one node hands another: ``bytes`` in one run of what they are in, over ``count`` edges between ops.

    Lines hand each other also what stays inside a fusion that both have a part in, as large as its array would be.
    """

    source: str
    target: str
    bytes: int | None
    kind: GraphEdgeKind = "data"
    count: int = 1


@attrs.frozen(slots=True)
class Breadcrumb:
    """A step of the way to where something is: the program, whose key opens nothing, or an op that calls others."""

    key: str
    name: str
    trip_count: int | None = None


@attrs.frozen(slots=True)
class GraphHit:
    """What a search found: an op, the way to it from the program, and what is to be opened on it, outermost first."""

    key: str
    name: str
    opcode: str
    shape: str
    scope: str
    path: str | None
    file: str | None
    line: int | None
    phase: Phase | None
    breadcrumbs: tuple[Breadcrumb, ...]
    open: tuple[str, ...]
    """Fusions that it is in: a neighbourhood shows it where these are open."""


@attrs.frozen(slots=True)
class GraphProgram:
    """A program that there is a graph of: ``instructions`` are all of it."""

    key: str
    name: str
    program_id: str
    instructions: int
    self_ps: int | None


@attrs.frozen(slots=True)
class Graph(ViewRecord):
    """Nodes and edges of a level, never more than `MOST_NODES`; ``left_out`` is how many nodes there was no room for.

    ``program`` is the one that is shown, by its key; None where the lines are those of all programs. On the level of
    lines the ``self_ps`` of all nodes and ``unattributed_ps`` sum to ``op_time_ps``, as in the view of lines. The other
    nodes are around the op ``center``. ``route`` has the keys of the nodes on the way between two ops, in its order.
    ``hits_left_out`` counts what a search found beside its ``hits``.
    """

    ROWS: ClassVar[str] = "nodes"

    level: GraphLevel
    program: str | None
    programs: tuple[GraphProgram, ...]
    """Those that can be chosen, the one that is meant without a choice first."""
    extent: ExtentRecord
    op_time_ps: int | None
    unattributed_ps: int | None
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    breadcrumbs: tuple[Breadcrumb, ...] = ()
    center: str | None = None
    radius: int | None = None
    route: tuple[str, ...] = ()
    hits: tuple[GraphHit, ...] = ()
    hits_left_out: int = 0
    overlays: tuple[GraphOverlay, ...] = ()
    """Those that any of the nodes has figures of."""
    left_out: int = 0
