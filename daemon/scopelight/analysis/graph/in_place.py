"""Ops opened in place: what is inside them among the nodes, and the edges that lead there."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import attrs

from scopelight.analysis.graph.nodes import Nodes
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import MOST_NODES, GraphEdge, GraphNode
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


class Edges:
    """What nodes hand each other, and what crosses the border of what they lie in."""

    def __init__(self, program: GraphedProgram, shown: Shown) -> None:
        self._program = program
        self._shown = shown
        standing = next(iter(shown.parents), None)
        around = program.callers_of(standing)[-1:] if standing is not None else ()
        # What lies in itself, in a hostile file, is among the nodes already.
        self._around = [row for row in around if row not in shown.parents]
        """The op that the nodes lie in; none where they lie in the program itself."""
        self._computation = program.instruction(standing).computation if standing is not None else program.module.entry
        self._values = Values(program.module, program.nodes, shown.opened, self._computation)
        self._moved: dict[tuple[int, int], list[int]] = {}
        self._read()

    def _read(self) -> None:
        program, shown = self._program, self._shown
        for row in shown.parents:
            if row in shown.opened:
                continue
            for end in program.ends_of(row):
                for operand in program.instruction(end).operands:
                    for maker, size in self._values.makers(operand):
                        if (maker in shown.parents and maker != row) or (maker == BORDER and self._around):
                            self._add(maker, row, size)
        if self._around:
            for maker, size in self._values.makers(program.module.computations[self._computation].root):
                if maker in shown.parents:
                    self._add(maker, BORDER, size)

    def _add(self, source: int, target: int, size: int) -> None:
        sums = self._moved.setdefault((source, target), [0, 0])
        sums[0] += size
        sums[1] += 1

    @property
    def border(self) -> int | None:
        """The row of the op that the nodes lie in, where anything crosses its border."""
        crossed = any(BORDER in ends for ends in self._moved)
        return self._around[0] if self._around and crossed else None

    def records(self) -> tuple[GraphEdge, ...]:
        """The edges, those of a node together."""
        order = {row: at for at, row in enumerate(self._shown.parents)}
        keys = {row: self._program.key_of(row) for ends in self._moved for row in ends if row != BORDER}
        if self._around:
            keys[BORDER] = self._program.key_of(self._around[0])
        return tuple(
            GraphEdge(
                keys[source],
                keys[target],
                size,
                kind="inside" if BORDER in (source, target) else "data",
                count=count,
            )
            for (source, target), (size, count) in sorted(
                self._moved.items(), key=lambda edge: tuple(order.get(row, -1) for row in edge[0])
            )
        )

    def missing(self, row: int) -> int:
        """How many neighbours of an op, in what it lies in, are not among the nodes."""
        graph = self._program.graph
        neighbours = {*graph.producers(row), *graph.consumers(row)}
        return sum(each not in self._shown.parents for each in neighbours)


def nodes_of(
    program: GraphedProgram,
    nodes: Nodes,
    shown: Shown,
    edges: Edges,
    distances: Mapping[int, int],
    followed: Collection[int] = (),
) -> Sequence[GraphNode]:
    """The records of what is shown, the inside of an op behind all before it. Hubs that are ``followed`` are open."""
    is_hub = program.graph.is_hub
    return [
        nodes.op(
            row,
            parent=program.key_of(parent) if parent is not None else None,
            is_open=row in shown.opened or bool(is_hub[row] and row in distances and row in followed),
            distance=distances.get(row),
            left_out=edges.missing(row) + shown.left_out.get(row, 0),
        )
        for row, parent in shown.parents.items()
    ]
