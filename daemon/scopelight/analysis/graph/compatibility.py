"""What a TPU would do with the ops of each node, in a run that was predicted for one."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.compatibility.placed_ops import CountedOps, counted_ops
from scopelight.analysis.compatibility.tallies import Tally
from scopelight.analysis.graph.records import Compatibility, GraphNode
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import UserFrames

_WORST_FIRST = ("refused", "unjudged", "on_host", "emulated", "native")


def with_compatibility(
    nodes: Sequence[GraphNode], subject: Subject, frames: UserFrames, program_id: str | None
) -> tuple[GraphNode, ...]:
    """The nodes, of all programs or of the one of an id, with how many of their ops a TPU computes, and how.

    Ops are jax's, as they were traced: of a line those of its phase where transformations prove it, else all. An op of
    XLA's is as the worst op of jax's of its primitive on its line.
    """
    known = subject.profile.compatibility()
    if known is None:
        return tuple(nodes)
    number = int(program_id) if program_id is not None and program_id.isdecimal() else None
    counted = subject.once("graph compatibility", program_id, lambda: counted_ops(known, frames, number))
    return tuple(attrs.evolve(each, compatibility=_of_node(each, counted)) for each in nodes)


def _of_node(node: GraphNode, counted: CountedOps) -> Compatibility | None:
    if node.kind == "scope":
        scope = counted.by_scope.by_key.get(tuple(node.scope.split("/"))) if node.scope else None
        # Equal siblings are one node, whose figures are theirs together.
        return None if scope is None else _compatibility(scope, node.repeated)
    if node.line is None:
        return None
    if node.kind == "line":
        of_phase = counted.by_line_and_phase.by_key.get((node.path, node.line, node.phase))
        of_line = of_phase or counted.by_line.by_key.get((node.path, node.line))
        return None if of_line is None else _compatibility(of_line)
    of_primitive = counted.by_primitive.by_key.get((node.path, node.line, node.primitive))
    if node.kind != "op" or of_primitive is None:
        return None
    worst = next(name for name in _WORST_FIRST if of_primitive.counts[name])
    return Compatibility(**{name: int(name == worst) for name in _WORST_FIRST})


def _compatibility(tally: Tally, times: int = 1) -> Compatibility:
    return Compatibility(**{name: count * times for name, count in tally.counts.items()})
