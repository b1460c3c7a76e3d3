"""The tree of one side of a comparison: what each node has itself, and with all below it, by round."""

from collections.abc import Iterator, Sequence

import attrs

from scopelight.analysis.compare.entries import Entry, Rounds, shared_out
from scopelight.analysis.compare.trees.records import ComparedNodeKind


@attrs.frozen(slots=True, eq=False)
class TreeEntry:
    """A node in the view of one run.

    ``found_by`` says what it pairs with, and where it is; its times are not looked at. ``own`` is what is in the node
    and in none below it: of a step and a device, in the unit of the record. ``waiting_ps`` is what of that is waiting,
    ``cpu_ps`` the CPU time.
    """

    key: str
    parent: str | None
    kind: ComparedNodeKind
    found_by: Entry
    own: int
    waiting_ps: int = 0
    cpu_ps: int | None = None
    category: str = ""
    primitive: str = ""
    op_key: str | None = None


@attrs.define(eq=False, repr=False)
class SideNode:
    """A node in the rounds of a side, which it may lack in some.

    ``own`` and ``amount`` are means over the rounds, in whole numbers: own amounts sum to those of all. ``rounds`` has
    the amount by round, ``waiting_ps`` and ``cpu_ps`` the same; the latter is None where one round does not know it.
    """

    entry: TreeEntry
    own: int
    amount: int
    rounds: list[int]
    waiting_ps: list[int]
    cpu_ps: list[int] | None
    children: list["SideNode"] = attrs.field(factory=list)

    @property
    def key(self) -> str:
        """As its view has it."""
        return self.entry.key

    def as_rounds(self) -> Rounds:
        """The node as a row that can be paired and judged."""
        entry = self.entry.found_by
        cpu: Sequence[int | None] = self.cpu_ps or [None] * len(self.rounds)
        rounds = [
            attrs.evolve(entry, time_ps=time_ps, waiting_ps=waiting_ps, cpu_ps=cpu_ps, bytes=None)
            for time_ps, waiting_ps, cpu_ps in zip(self.rounds, self.waiting_ps, cpu, strict=True)
        ]
        return Rounds(entry=rounds[0], rounds=tuple(rounds), time_ps=self.amount, cpu_ps=None, bytes=None)


def side_tree(runs: Sequence[Sequence[TreeEntry]]) -> list[SideNode]:
    """The roots of a side. In every run an entry comes after the one above it."""
    found: dict[str, list[TreeEntry | None]] = {}
    for number, entries in enumerate(runs):
        for entry in entries:
            found.setdefault(entry.key, [None] * len(runs))[number] = entry
    own = shared_out([sum(each.own for each in row if each is not None) for row in found.values()], len(runs))
    nodes = {key: _node(row, amount) for (key, row), amount in zip(found.items(), own, strict=True)}
    roots: list[SideNode] = []
    for node in nodes.values():
        above = nodes.get(node.entry.parent) if node.entry.parent is not None else None
        (roots if above is None else above.children).append(node)
    for node in reversed([each for each, _ in preorder(roots)]):
        for child in node.children:
            _include(node, child)
    return roots


def preorder(roots: Sequence[SideNode]) -> Iterator[tuple[SideNode, int]]:
    """All nodes with their depth, each followed by what is below it."""
    pending = [(node, 0) for node in reversed(roots)]
    while pending:
        node, depth = pending.pop()
        yield node, depth
        pending.extend((child, depth + 1) for child in reversed(node.children))


def _node(row: Sequence[TreeEntry | None], own: int) -> SideNode:
    knows_cpu = all(each is None or each.cpu_ps is not None for each in row)
    return SideNode(
        entry=next(each for each in row if each is not None),
        own=own,
        amount=own,
        rounds=[0 if each is None else each.own for each in row],
        waiting_ps=[0 if each is None else each.waiting_ps for each in row],
        cpu_ps=[0 if each is None else each.cpu_ps or 0 for each in row] if knows_cpu else None,
    )


def _include(node: SideNode, child: SideNode) -> None:
    node.amount += child.amount
    node.rounds = [one + other for one, other in zip(node.rounds, child.rounds, strict=True)]
    node.waiting_ps = [one + other for one, other in zip(node.waiting_ps, child.waiting_ps, strict=True)]
    if node.cpu_ps is not None and child.cpu_ps is not None:
        node.cpu_ps = [one + other for one, other in zip(node.cpu_ps, child.cpu_ps, strict=True)]
    else:
        node.cpu_ps = None
