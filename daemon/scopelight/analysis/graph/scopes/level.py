"""The level of scopes: the groups of a program, those that are opened with what is in them."""

from collections.abc import Collection, Sequence

import attrs

from scopelight.analysis.graph.figures import Figures
from scopelight.analysis.graph.nodes import Nodes
from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.graph.records import MOST_NODES, GraphEdge, GraphNode
from scopelight.analysis.graph.scopes.placing import UPDATING
from scopelight.analysis.graph.scopes.tree import Group, ScopeTree
from scopelight.analysis.totals.keys import digest


@attrs.define(eq=False, repr=False)
class ScopesLevel:
    """Nodes and edges, and how many nodes there was no room for."""

    nodes: list[GraphNode] = attrs.field(factory=list)
    edges: list[GraphEdge] = attrs.field(factory=list)
    left_out: int = 0


class _Level:
    def __init__(
        self, program: GraphedProgram, figures: Figures, tree: ScopeTree, opened: Collection[str], most: int
    ) -> None:
        self._program = program
        self._figures = figures
        self._nodes = Nodes(program, figures)
        self._tree = tree
        self._opened = opened
        self._most = most
        self.level = ScopesLevel()
        self._node_of_row: dict[int, str] = {}

    def make(self) -> ScopesLevel:
        pending: list[tuple[Group, str | None]] = [(self._tree.root, None)]
        for group, key in pending:
            inside = list(self._tree.inside(group))
            shown, rest = self._with_room_for(inside)
            for each in shown:
                is_open = each.can_open and each.key in self._opened
                self.level.nodes.append(self._node(each, key, is_open=is_open))
                self._node_of_row.update(dict.fromkeys(each.rows, each.key))
                if is_open:
                    pending.append((each, each.key))
            if rest:
                self._put_together(rest, key or group.key, key)
        self.level.edges = self._edges()
        return self.level

    def _with_room_for(self, inside: Sequence[Group]) -> tuple[Sequence[Group], Sequence[Group]]:
        """What there is room for, in its order, the greatest kept, and the rest, whose place is kept free for one."""
        room = self._most - len(self.level.nodes)
        if len(inside) <= room:
            return inside, ()
        greatest = sorted(range(len(inside)), key=lambda at: (*self._size(inside[at]), at))
        kept = set(greatest[: max(0, room - 1)])
        return (
            [each for at, each in enumerate(inside) if at in kept],
            [each for at, each in enumerate(inside) if at not in kept],
        )

    def _size(self, group: Group) -> tuple[int, int]:
        figures = self._figures.of_all(group.rows)
        return -(figures.self_ps or 0), -len(group.rows)

    def _put_together(self, rest: Sequence[Group], around: str, parent: str | None) -> None:
        self.level.left_out += len(rest)
        if len(self.level.nodes) >= self._most:
            return
        rows = [row for each in rest for row in each.rows]
        key = digest("rest", around)
        self.level.nodes.append(
            self._nodes.group(rows, key=key, name="", kind="rest", parent=parent, left_out=len(rest))
        )
        self._node_of_row.update(dict.fromkeys(rows, key))

    def _node(self, group: Group, parent: str | None, *, is_open: bool) -> GraphNode:
        if group.is_op:
            first = group.rows[0]
            # A hub has nothing to follow here: all that is shown has its edges.
            fields = {"key": group.key, "parent": parent, "is_open": is_open, "can_open": group.can_open}
            if len(group.rows) == 1:
                return self._nodes.op(first, **fields)
            one = self._nodes.op(first)
            same = ("path", "file", "line", "line_key", "function", "opcode", "primitive", "shape", "scope")
            return self._nodes.group(
                group.rows,
                **fields,
                name=group.name,
                kind="op",
                repeated=group.repeated,
                **{name: getattr(one, name) for name in same},
            )
        centre = self._program.centre
        return self._nodes.group(
            group.rows,
            key=group.key,
            name=group.name,
            kind="scope",
            parent=parent,
            is_open=is_open,
            can_open=True,
            repeated=group.repeated,
            scope="/".join(group.scopes[0]) if group.scopes and group.scopes[0] != UPDATING else "",
            **centre.frames.place_fields(group.frame),
            line_key=centre.line_key(group.frame) if group.frame is not None else None,
            function=group.frame.function if group.frame is not None else "",
        )

    def _edges(self) -> list[GraphEdge]:
        graph = self._program.flow
        found: dict[tuple[str, str], list[int]] = {}
        columns = (graph.source.tolist(), graph.target.tolist(), graph.bytes.tolist(), graph.count.tolist())
        for source, target, moved, count in zip(*columns, strict=True):
            ends = (self._node_of_row.get(source), self._node_of_row.get(target))
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                continue
            sums = found.setdefault((ends[0], ends[1]), [0, 0])
            sums[0] += moved
            sums[1] += count
        return [GraphEdge(source, target, sums[0], count=sums[1]) for (source, target), sums in found.items()]


def scopes_level(
    program: GraphedProgram, figures: Figures, tree: ScopeTree, opened: Collection[str], most: int = MOST_NODES
) -> ScopesLevel:
    """The groups of a program, and what is in those whose keys are ``opened``. What is in a group sums to it."""
    return _Level(program, figures, tree, opened, most).make()
