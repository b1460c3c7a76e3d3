"""The graph of one program as columns: its edges in both directions, and which ops have too many to follow."""

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64
from scopelight.program.graph.glue import nodes_of
from scopelight.program.graph.values import Values
from scopelight.program.hlo.nouns import HloModule

MOST_EDGES = 12
"""Neighbours of an op that are followed; one that has more is a hub."""
_MOST_BYTES = 2**62


@attrs.frozen(eq=False, repr=False)
class ProgramGraph:
    """One row for each pair of ops of which one reads what the other made, sorted by ``source``, then ``target``.

    Both are rows of the module's instructions. ``node`` int64[instructions] is the row that stands for each
    instruction: that of an asynchronous op's start for its end as well, -1 for glue, which is seen through, and for
    what is opened. ``bytes`` are those of the result that is read, ``count`` is how often it is.
    ``from_`` and ``into`` have, by instruction, where its edges begin: in the order of the columns those that leave it,
    in that of ``by_target`` those that reach it. ``is_hub``: more than `MOST_EDGES` neighbours.
    """

    module: HloModule
    node: Int64
    source: Int64
    target: Int64
    bytes: Int64
    count: Int64
    from_: Int64
    into: Int64
    by_target: Int64
    is_hub: Bool
    is_cut_off: bool

    def consumers(self, row: int) -> Sequence[int]:
        """Rows of those that read the result of an op."""
        found: list[int] = self.target[self.from_[row] : self.from_[row + 1]].tolist()
        return found

    def producers(self, row: int) -> Sequence[int]:
        """Rows of those whose results an op reads."""
        found: list[int] = self.source[self.by_target[self.into[row] : self.into[row + 1]]].tolist()
        return found

    @property
    def nodes(self) -> Int64:
        """The rows of all ops, each once."""
        return np.flatnonzero(self.node == np.arange(len(self.node)))


def program_graph(
    module: HloModule, opened: Collection[int] = (), computations: Iterable[int] | None = None
) -> ProgramGraph:
    """The graph of a module, or of some of its computations.

    ``opened`` are rows of instructions that are no nodes: edges lead to the ops inside them, and from these.
    """
    nodes = nodes_of(module)
    values = Values(module, nodes, opened)
    found: dict[tuple[int, int], list[int]] = {}
    rows = range(len(module.computations)) if computations is None else sorted(computations)
    for computation in rows:
        for row in module.computations[computation].instructions:
            node = nodes[row]
            if node < 0 or node in opened:
                continue
            for operand in module.instructions[row].operands:
                for maker, moved in values.makers(operand):
                    if maker != node:
                        of_edge = found.setdefault((maker, node), [0, 0])
                        of_edge[0] = min(_MOST_BYTES, of_edge[0] + moved)
                        of_edge[1] += 1
    return _in_columns(module, nodes, opened, found, is_cut_off=values.is_cut_off)


def _in_columns(
    module: HloModule,
    nodes: Sequence[int],
    opened: Collection[int],
    found: dict[tuple[int, int], list[int]],
    *,
    is_cut_off: bool,
) -> ProgramGraph:
    count = len(module.instructions)
    pairs = sorted(found)
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    sums = np.array([found[each] for each in pairs], np.int64).reshape(-1, 2)
    by_target = np.lexsort((source, target))
    bounds = np.arange(count + 1)
    degree = np.bincount(source, minlength=count) + np.bincount(target, minlength=count)
    node = np.array(nodes, np.int64)
    node[np.isin(node, np.array(sorted(opened), np.int64))] = -1
    return ProgramGraph(
        module=module,
        node=node,
        source=source,
        target=target,
        bytes=sums[:, 0],
        count=sums[:, 1],
        from_=np.searchsorted(source, bounds),
        into=np.searchsorted(target[by_target], bounds),
        by_target=by_target,
        is_hub=degree > MOST_EDGES,
        is_cut_off=is_cut_off,
    )


def callers_of(module: HloModule, row: int) -> Sequence[int]:
    """The rows of the instructions that an instruction lies in, outermost first; of several callers the first counts.

    Of computations that call each other, as only a hostile file has them, each is entered once.
    """
    found: list[int] = []
    seen: set[int] = set()
    computation = module.instructions[row].computation
    while computation not in seen and computation != module.entry:
        seen.add(computation)
        callers = module.callers.get(computation, ())
        if not callers:
            break
        found.append(callers[0])
        computation = module.instructions[callers[0]].computation
    return found[::-1]


def depths_of(graph: ProgramGraph) -> Int64:
    """By instruction the length of the longest way to it from an op that reads nothing, int64; 0 within a cycle."""
    count = len(graph.node)
    depth = [0] * count
    waiting = np.bincount(graph.target, minlength=count).tolist()
    targets, bounds = graph.target.tolist(), graph.from_.tolist()
    ready = [row for row in graph.nodes.tolist() if not waiting[row]]
    spans = list(pairwise(bounds))
    while ready:
        row = ready.pop()
        for target in targets[slice(*spans[row])]:
            depth[target] = max(depth[target], depth[row] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return np.where(np.array(waiting, np.int64) > 0, 0, np.array(depth, np.int64))
