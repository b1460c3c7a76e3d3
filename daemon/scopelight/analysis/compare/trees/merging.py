"""Two trees as one: children of nodes that are one are paired, and what is left over stays below the node it was in."""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.analysis.compare.entries import Entry, Rounds
from scopelight.analysis.compare.judging import Circumstances, Judgement, judge, judge_whole
from scopelight.analysis.compare.pairing import Pair, PairedLines, pairs
from scopelight.analysis.compare.records import PairedBy
from scopelight.analysis.compare.trees.records import ComparedNode, ComparedUnit
from scopelight.analysis.compare.trees.side import SideNode, TreeEntry, preorder
from scopelight.analysis.totals.keys import digest

_ROUNDED: Mapping[ComparedUnit, int] = {"ps": 2, "flops": 2, "bytes": 0}
"""What is divided among lines is rounded to whole units, of one number of steps otherwise than of another."""
_ROUNDED_RATIO: Mapping[ComparedUnit, float] = {"ps": 1e-9, "flops": 0.0, "bytes": 0.0}


@attrs.define(eq=False, repr=False)
class MergedNode:
    """A node of both sides, or of one; ``told`` is its verdict."""

    key: str
    parent: str | None
    depth: int
    before: SideNode | None
    after: SideNode | None
    by: PairedBy | None
    told: Judgement | None = None


def merged(before: Sequence[SideNode], after: Sequence[SideNode], lines: PairedLines) -> list[MergedNode]:
    """All nodes of both trees, each once and after the one above it: those of ``after`` in their order, and below each
    last what is only before, the largest first."""
    taken = {node.key for node, _ in preorder(after)}
    found: list[MergedNode] = []
    pending = list(reversed(_paired(before, after, lines, None, 0, taken)))
    while pending:
        node = pending.pop()
        found.append(node)
        below = _paired(
            node.before.children if node.before is not None else (),
            node.after.children if node.after is not None else (),
            lines,
            node.key,
            node.depth + 1,
            taken,
        )
        pending.extend(reversed(below))
    return found


def _paired(
    before: Sequence[SideNode],
    after: Sequence[SideNode],
    lines: PairedLines,
    parent: str | None,
    depth: int,
    taken: set[str],
) -> list[MergedNode]:
    rows_before, rows_after = ([each.as_rounds() for each in side] for side in (before, after))
    node_of = {id(row): node for row, node in zip((*rows_before, *rows_after), (*before, *after), strict=True)}
    both: list[MergedNode] = []
    alone: list[MergedNode] = []
    # What stands unchanged on the other side has a row of nothing there, which is no node.
    found = pairs(rows_before, rows_after, lines) if before and after else _unpaired(rows_before, rows_after)
    for row_before, row_after, by in found:
        earlier = node_of.get(id(row_before))
        later = node_of.get(id(row_after))
        if later is not None:
            both.append(MergedNode(later.key, parent, depth, earlier, later, by if earlier is not None else None))
        elif earlier is not None:
            key = earlier.key
            while key in taken:
                key = digest("before", key)
            taken.add(key)
            alone.append(MergedNode(key, parent, depth, earlier, None, None))
    alone.sort(key=lambda each: -(each.before.amount if each.before is not None else 0))
    return both + alone


def _unpaired(before: Sequence[Rounds], after: Sequence[Rounds]) -> list[Pair]:
    return [*(Pair(None, each, None) for each in after), *(Pair(each, None, None) for each in before)]


def together(nodes: Sequence[MergedNode], key: str) -> MergedNode:
    """Several nodes as one, with all that is below them."""
    sides = [
        [each for each in column if each is not None]
        for column in zip(*((node.before, node.after) for node in nodes), strict=True)
    ]
    before, after = (_sum(side, key) for side in sides)
    return MergedNode(key, None, 0, before, after, "name" if before is not None and after is not None else None)


def _sum(nodes: Sequence[SideNode], key: str) -> SideNode | None:
    if not nodes:
        return None
    found_by = Entry(key=key, kind="rest", label="", identities=())
    rounds = range(len(nodes[0].rounds))
    knows_cpu = all(node.cpu_ps is not None for node in nodes)
    return SideNode(
        entry=TreeEntry(key=key, parent=None, kind="rest", found_by=found_by, own=0),
        own=sum(node.amount for node in nodes),
        amount=sum(node.amount for node in nodes),
        rounds=[sum(node.rounds[each] for node in nodes) for each in rounds],
        waiting_ps=[sum(node.waiting_ps[each] for node in nodes) for each in rounds],
        cpu_ps=[sum((node.cpu_ps or [0])[each] for node in nodes) for each in rounds] if knows_cpu else None,
    )


def judge_tree(nodes: Sequence[MergedNode], of: Circumstances, unit: ComparedUnit = "ps") -> None:
    """Set the verdicts of amounts in that unit.

    Nodes of one depth have nothing in common: what did not change among them is the control of the others, and each
    depth is a family of tests of its own.
    """
    by_depth: dict[int, list[MergedNode]] = {}
    for node in nodes:
        by_depth.setdefault(node.depth, []).append(node)
    for level in by_depth.values():
        if of.is_exact:
            for node in level:
                node.told = _told_exactly(node, of, unit)
            continue
        rows = [
            Pair(
                node.before.as_rounds() if node.before is not None else None,
                node.after.as_rounds() if node.after is not None else None,
                node.by,
            )
            for node in level
        ]
        for node, told in zip(level, judge(rows, of), strict=True):
            node.told = told


def _told_exactly(node: MergedNode, of: Circumstances, unit: ComparedUnit) -> Judgement:
    if node.before is None:
        return Judgement("only-after", "exact")
    if node.after is None:
        return Judgement("only-before", "exact")
    told = judge_whole(node.before.rounds, node.after.rounds, "exact", of)
    both = (*node.before.rounds, *node.after.rounds)
    if max(both) - min(both) <= max(_ROUNDED[unit], max(both) * _ROUNDED_RATIO[unit]):
        return attrs.evolve(told, verdict="same")
    return told


def record_of(node: MergedNode) -> ComparedNode:
    """The node as clients have it."""
    shown = node.after or node.before
    told = node.told
    assert shown is not None and told is not None
    entry, place = shown.entry, shown.entry.found_by
    before = node.before.amount if node.before is not None else None
    after = node.after.amount if node.after is not None else None
    whole = told.before_ps
    return ComparedNode(
        key=node.key,
        parent=node.parent,
        depth=node.depth,
        kind=entry.kind,
        label=place.label,
        verdict=told.verdict,
        judged_by=told.judged_by,
        before=before,
        after=after,
        change=(after or 0) - (before or 0),
        before_self=node.before.own if node.before is not None else None,
        after_self=node.after.own if node.after is not None else None,
        change_ratio=after / before - 1 if before and after is not None else None,
        judged_change_ratio=told.change_ratio,
        interval=None
        if told.interval is None or whole is None
        else (round(told.interval[0] * whole), round(told.interval[1] * whole)),
        visible=None if told.visible_ratio is None or whole is None else round(told.visible_ratio * whole),
        paired_by=node.by,
        before_key=node.before.key if node.before is not None else None,
        op_key=entry.op_key if node.after is not None else None,
        path=place.path,
        file=place.file,
        line=place.line,
        function=place.function,
        category=entry.category,
        primitive=entry.primitive,
        phase=place.phase,
    )
