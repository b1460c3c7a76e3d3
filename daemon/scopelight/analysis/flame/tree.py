"""The tree of frames: stacks put together where they begin with the same frames."""

from collections.abc import Iterable, Iterator

import attrs

from scopelight.program.hlo.frames import Frame
from scopelight.program.phases.phase import Phase


@attrs.define(slots=True, eq=False)
class StackSums:
    """What the ops of one stack have together; ``values`` are of what is measured, ``ops`` by the op's row."""

    self_ps: int = 0
    value: int = 0
    phases: list[int] = attrs.field(factory=lambda: [0] * len(Phase))
    ops: dict[int, int] = attrs.field(factory=dict)
    start_ps: int | None = None

    def add(self, op: int | None, phase: int, self_ps: int, value: int, start_ps: int | None) -> None:
        """Count a part of an op, given by its row; or of memory, which is no op's."""
        self.self_ps += self_ps
        self.value += value
        self.phases[phase] += value
        if value and op is not None:
            self.ops[op] = self.ops.get(op, 0) + value
        self.start_ps = _earliest(self.start_ps, start_ps)

    def include(self, other: "StackSums") -> None:
        """Count what another stack has."""
        self.self_ps += other.self_ps
        self.value += other.value
        self.phases = [one + more for one, more in zip(self.phases, other.phases, strict=True)]
        self.start_ps = _earliest(self.start_ps, other.start_ps)


@attrs.define(slots=True, eq=False)
class Node:
    """A frame under its callers. ``inclusive`` is known once the tree is finished, and names no ops."""

    frame: Frame
    parent: "Node | None"
    own: StackSums = attrs.field(factory=StackSums)
    inclusive: StackSums = attrs.field(factory=StackSums)
    children: dict[Frame, "Node"] = attrs.field(factory=dict)


def tree(stacks: Iterable[tuple[Iterable[Frame], StackSums]]) -> dict[Frame, Node]:
    """The outermost frames of ``stacks``, which are given outermost frame first and have one frame at least."""
    roots: dict[Frame, Node] = {}
    order: list[Node] = []
    for frames, sums in stacks:
        node: Node | None = None
        for frame in frames:
            level = roots if node is None else node.children
            below = level.get(frame)
            if below is None:
                below = level[frame] = Node(frame, node)
                order.append(below)
            node = below
        assert node is not None
        node.own.include(sums)
        for op, value in sums.ops.items():
            node.own.ops[op] = node.own.ops.get(op, 0) + value
    # Every node is made after its parent.
    for node in reversed(order):
        node.inclusive.include(node.own)
        if node.parent is not None:
            node.parent.inclusive.include(node.inclusive)
    return roots


def callers_first(roots: dict[Frame, Node]) -> Iterator[Node]:
    """All nodes, each after its parent and followed by what is below it; among siblings the largest first."""
    pending = _smallest_first(roots)
    while pending:
        node = pending.pop()
        yield node
        pending.extend(_smallest_first(node.children))


def _smallest_first(nodes: dict[Frame, Node]) -> list[Node]:
    return sorted(
        nodes.values(),
        key=lambda node: (
            -node.inclusive.value,
            -node.inclusive.self_ps,
            node.frame.path,
            node.frame.line,
            node.frame.function,
        ),
        reverse=True,
    )


def _earliest(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else min(one, other)
