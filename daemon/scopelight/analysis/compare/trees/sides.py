"""What every compared view is made of: the sides, their trees as one, and the record of that."""

from collections.abc import Callable, Sequence

import attrs

from scopelight.analysis.compare.circumstances import circumstances, findings_of, side_of
from scopelight.analysis.compare.judging import Circumstances
from scopelight.analysis.compare.pairing import PairedLines
from scopelight.analysis.compare.trees.merging import MergedNode, judge_tree, merged, record_of, together
from scopelight.analysis.compare.trees.records import ComparedNode, ComparedTreeRecord, ComparedUnit, ComparedView
from scopelight.analysis.compare.trees.side import TreeEntry, side_tree
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.keys import digest


@attrs.frozen(eq=False)
class Sides:
    """What is compared: of several runs of a side each with that of its place on the other."""

    before: Sequence[Subject]
    after: Sequence[Subject]
    lines: PairedLines

    def scope(self, chosen: Scope | None) -> Scope:
        """The scope of a view, which is the window where a run of either side has no complete steps."""
        scope = chosen or self.after[0].scope
        return scope if self.has_steps else "window"

    @property
    def has_steps(self) -> bool:
        """Whether every run has complete steps."""
        centres = [centre_of(each.profile, each.line_options) for each in (*self.before, *self.after)]
        return all(each.static is None and len(each.steps) > 0 for each in centres)


def merged_sides(sides: Sides, entries: Callable[[Subject], Sequence[TreeEntry]]) -> list[MergedNode]:
    """The nodes of both sides as one tree; ``entries`` has those of a run."""
    trees = [side_tree([entries(each) for each in side]) for side in (sides.before, sides.after)]
    return merged(trees[0], trees[1], sides.lines)


def tree_record(
    view: ComparedView, sides: Sides, nodes: Sequence[MergedNode], unit: ComparedUnit, scope: Scope
) -> ComparedTreeRecord:
    """The judged record of a view."""
    of = circumstances(sides.before, sides.after, is_static=unit != "ps")
    judge_tree(nodes, of, unit)
    roots = [node for node in nodes if node.parent is None]
    return ComparedTreeRecord(
        view=view,
        unit=unit,
        before=side_of(sides.before),
        after=side_of(sides.after),
        rounds=of.rounds,
        has_steps=scope == "steps",
        is_whole=True,
        total_before=sum(node.before.amount for node in roots if node.before is not None),
        total_after=sum(node.after.amount for node in roots if node.after is not None),
        nodes=tuple(record_of(node) for node in nodes),
        whole=_whole(nodes, of, unit),
        findings=tuple(findings_of(sides.before, sides.after, of, has_steps=sides.has_steps)),
    )


def _whole(nodes: Sequence[MergedNode], of: Circumstances, unit: ComparedUnit) -> ComparedNode | None:
    """All nodes together but idle time, judged by itself."""
    roots = [node for node in nodes if node.parent is None]
    if roots and _kind_of(roots[0]) == "total":
        roots = [node for node in nodes if node.depth == 1]
    parts = [node for node in roots if _kind_of(node) != "idle"]
    if not parts:
        return None
    whole = together(parts, digest("whole", *(node.key for node in parts)))
    judge_tree([whole], of, unit)
    return record_of(whole)


def _kind_of(node: MergedNode) -> str:
    side = node.after or node.before
    return side.entry.kind if side is not None else ""
