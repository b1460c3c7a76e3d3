"""Ops opened in place: what is inside them among the nodes, and the edges that lead there."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs

from scopelight.analysis.graph.nodes import Nodes
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import MOST_NODES, GraphEdge, GraphNode
from scopelight.program.graph.columns import program_graph
from scopelight.program.graph.values import BORDER, Values


@attrs.frozen(eq=False, repr=False)
class Shown:
    """The ops that are nodes: by row the row of the opened op that each lies in, None for those that lie in none.

    ``opened`` are the rows of those that are open; ``left_out`` how many ops inside them there was no room for, by row.
    """

    parents: Mapping[int, int | None]
    opened: frozenset[int]
    left_out: Mapping[int, int]


def opened_in_place(
    program: GraphedProgram, rows: Iterable[int], wanted: Collection[int], most: int = MOST_NODES
) -> Shown:
    """The ops at ``rows``, in their order, and what is inside those of them that are ``wanted`` open, at any depth."""
    parents: dict[int, int | None] = {}
    opened: set[int] = set()
    left_out: dict[int, int] = {}
    pending = list(rows)[:most]
    parents.update(dict.fromkeys(pending))
    for row in pending:
        if row not in wanted or row in opened:
            continue
        inside = [each for each in program.inside(row) if each not in parents]
        if not inside:
            continue
        opened.add(row)
        room = max(0, most - len(parents))
        if len(inside) > room:
            left_out[row] = len(inside) - room
        for each in inside[:room]:
            parents[each] = row
            pending.append(each)
    return Shown(parents, frozenset(opened), left_out)


def edges_among(program: GraphedProgram, shown: Shown) -> tuple[Sequence[GraphEdge], Mapping[int, int]]:
    """The edges between nodes, and by row how many neighbours of each are not among them."""
    if shown.opened:
        computations = {program.instruction(row).computation for row in shown.parents}
        graph = program_graph(program.module, shown.opened, computations)
    else:
        graph = program.graph
    edges: list[GraphEdge] = []
    missing: dict[int, int] = {}
    for row in shown.parents:
        first, beyond = int(graph.from_[row]), int(graph.from_[row + 1])
        for at in range(first, beyond):
            target = int(graph.target[at])
            if target in shown.parents:
                moved, count = int(graph.bytes[at]), int(graph.count[at])
                edges.append(GraphEdge(program.key_of(row), program.key_of(target), moved, count=count))
            else:
                missing[row] = missing.get(row, 0) + 1
        for source in graph.producers(row):
            if source not in shown.parents:
                missing[row] = missing.get(row, 0) + 1
    return edges, missing


def border_of(program: GraphedProgram, shown: Shown) -> tuple[int, Sequence[GraphEdge]] | None:
    """The op that the nodes lie in, by its row, and what crosses its border: what they are given, what they return.

    None where they lie in the program itself.
    """
    standing = next(iter(shown.parents), None)
    around = program.callers_of(standing) if standing is not None else ()
    if standing is None or not around:
        return None
    computation = program.instruction(standing).computation
    values = Values(program.module, program.graph.node.tolist(), shown.opened, computation)
    moved: dict[tuple[int, int], list[int]] = {}

    def add(source: int, target: int, size: int) -> None:
        sums = moved.setdefault((source, target), [0, 0])
        sums[0] += size
        sums[1] += 1

    for row in shown.parents:
        if row not in shown.opened:
            for operand in program.instruction(row).operands:
                for maker, size in values.makers(operand):
                    if maker == BORDER:
                        add(BORDER, row, size)
    for maker, size in values.makers(program.module.computations[computation].root):
        if maker in shown.parents:
            add(maker, BORDER, size)
    keys = {BORDER: program.key_of(around[-1])}
    edges = [
        GraphEdge(
            keys.get(source) or program.key_of(source),
            keys.get(target) or program.key_of(target),
            size,
            kind="inside",
            count=count,
        )
        for (source, target), (size, count) in moved.items()
    ]
    return (around[-1], edges) if edges else None


def nodes_of(
    program: GraphedProgram, nodes: Nodes, shown: Shown, missing: Mapping[int, int], distances: Mapping[int, int]
) -> Sequence[GraphNode]:
    """The records of what is shown: in its order, the inside of an op behind it."""
    return [
        nodes.op(
            row,
            parent=program.key_of(parent) if parent is not None else None,
            is_open=row in shown.opened,
            distance=distances.get(row),
            left_out=missing.get(row, 0) + shown.left_out.get(row, 0),
        )
        for row, parent in shown.parents.items()
    ]
