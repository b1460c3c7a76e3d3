"""Compares a view of two runs, or of rounds of two, node by node: the op profile, the flame graph, the graph.

Each takes the options that the view is asked with, and raises `OptionError` where either side has not what they name.
"""

from collections.abc import Callable, Sequence

import attrs

from scopelight.analysis.compare.circumstances import circumstances, findings_of, side_of
from scopelight.analysis.compare.comparison import compare
from scopelight.analysis.compare.judging import Circumstances
from scopelight.analysis.compare.pairing import PairedLines
from scopelight.analysis.compare.records import ComparedRow
from scopelight.analysis.compare.trees.flame import flame_entries
from scopelight.analysis.compare.trees.graph import line_entries, program_in, programs_in, scope_entries
from scopelight.analysis.compare.trees.merging import MergedNode, judge_tree, merged, record_of, together
from scopelight.analysis.compare.trees.op_profile import op_profile_entries
from scopelight.analysis.compare.trees.records import ComparedNode, ComparedTreeRecord, ComparedUnit, ComparedView
from scopelight.analysis.compare.trees.side import TreeEntry, side_tree
from scopelight.analysis.flame.options import FlameMeasure, FlameOptions
from scopelight.analysis.graph.lines import rest_key
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.records import Graph
from scopelight.analysis.graph.view import graph
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.keys import digest

_UNITS: dict[FlameMeasure, ComparedUnit] = {
    "op-time": "ps",
    "wall-time": "ps",
    "flops": "flops",
    "memory": "bytes",
}


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


def compare_op_profiles(sides: Sides, options: OpProfileOptions) -> ComparedTreeRecord:
    """The op profile in one grouping, idle time included."""
    scope = sides.scope(options.scope)
    nodes = _merged(sides, lambda subject: op_profile_entries(subject, options, scope))
    return _record("op-profile", sides, nodes, "ps", scope)


def compare_flame_graphs(sides: Sides, options: FlameOptions) -> ComparedTreeRecord:
    """The flame graph of one measure."""
    scope = sides.scope(options.scope)
    nodes = _merged(sides, lambda subject: flame_entries(subject, options, scope))
    return _record("flame", sides, nodes, _UNITS[options.measure], scope)


def compare_graphs(sides: Sides, options: GraphOptions) -> ComparedTreeRecord:
    """The nodes that the graph of the first run after shows with these options, and what is only before."""
    scope = sides.scope(options.scope)
    shown = graph(sides.after[0], attrs.evolve(options, search=None, memory=False, scope=scope))
    if shown.level == "ops":
        return _compared_ops(sides, shown, scope)
    wanted = _program(sides, options, shown, scope)
    if shown.level == "lines":
        every = _merged(sides, _lines_of(options.device, scope, wanted))
        return _record("graph", sides, _as_shown(every, shown), "ps", scope)
    if wanted is None:
        return _record("graph", sides, [], "ps", scope)
    return _record("graph", sides, _scopes(sides, options, scope, wanted), "ps", scope)


def _merged(sides: Sides, entries: Callable[[Subject], Sequence[TreeEntry]]) -> list[MergedNode]:
    trees = [side_tree([entries(each) for each in side]) for side in (sides.before, sides.after)]
    return merged(trees[0], trees[1], sides.lines)


def _kind_of(node: MergedNode) -> str:
    side = node.after or node.before
    return side.entry.kind if side is not None else ""


def _program(sides: Sides, options: GraphOptions, shown: Graph, scope: Scope) -> tuple[str, str] | None:
    """Key and name of the program that is meant; None of the lines of all."""
    if shown.program is None or (shown.level == "lines" and options.program is None):
        return None
    records = programs_in(sides.after[0], scope, options.device).records
    return next(((each.key, each.name) for each in records if each.key == shown.program), None)


def _lines_of(
    device: str | None, scope: Scope, wanted: tuple[str, str] | None
) -> Callable[[Subject], Sequence[TreeEntry]]:
    def entries(subject: Subject) -> Sequence[TreeEntry]:
        program = program_in(subject, scope, wanted)
        if wanted is not None and program is None:
            return ()
        return line_entries(subject, scope, device, None if program is None else program[0])

    return entries


def _as_shown(nodes: Sequence[MergedNode], shown: Graph) -> list[MergedNode]:
    """The nodes of lines, of which those that there was no room for are one."""
    keys = {node.key for node in shown.nodes}
    rest = [
        node for node in nodes if node.after is not None and node.key not in keys and node.after.entry.kind == "line"
    ]
    if not rest:
        return list(nodes)
    hidden = {id(node) for node in rest}
    key = next((each.key for each in shown.nodes if each.kind == "rest"), rest_key(None))
    return [*(node for node in nodes if id(node) not in hidden), together(rest, key)]


def _scopes(sides: Sides, options: GraphOptions, scope: Scope, wanted: tuple[str, str]) -> list[MergedNode]:
    """The scopes, on either side those opened that are opened after: level by level, as that says which these are."""
    opened_after = frozenset(options.open)
    opened_before: set[str] = set()

    def entries(subject: Subject, opened: frozenset[str]) -> Sequence[TreeEntry]:
        program = program_in(subject, scope, wanted)
        return () if program is None else scope_entries(subject, scope, options.device, program[0], opened)

    after = side_tree([entries(each, opened_after) for each in sides.after])
    while True:
        before = side_tree([entries(each, frozenset(opened_before)) for each in sides.before])
        nodes = merged(before, after, sides.lines)
        found = {
            node.before.key
            for node in nodes
            if node.before is not None and node.after is not None and node.after.key in opened_after
        }
        if found <= opened_before:
            return nodes
        opened_before |= found


def _compared_ops(sides: Sides, shown: Graph, scope: Scope) -> ComparedTreeRecord:
    record = compare(sides.before, sides.after, sides.lines, "op")
    keys = {node.key for node in shown.nodes}
    nodes = tuple(_of_op(row) for row in record.rows if row.after_key in keys)
    return attrs.evolve(
        _record("graph", sides, [], "ps", scope),
        is_whole=False,
        total_before=record.totals.before_ps or 0,
        total_after=record.totals.after_ps or 0,
        nodes=nodes,
    )


def _of_op(row: ComparedRow) -> ComparedNode:
    return ComparedNode(
        key=row.key,
        parent=None,
        depth=0,
        kind="op",
        label=row.label,
        verdict=row.verdict,
        judged_by=row.judged_by,
        before=row.before_ps,
        after=row.after_ps,
        change=row.change_ps or 0,
        before_self=row.before_ps,
        after_self=row.after_ps,
        change_ratio=row.change_ratio,
        judged_change_ratio=row.judged_change_ratio,
        interval=row.interval_ps or row.interval_cpu_ps,
        visible=row.visible_ps if row.visible_cpu_ps is None else row.visible_cpu_ps,
        paired_by=row.paired_by,
        before_key=row.before_key,
        op_key=row.after_key,
        path=row.path,
        file=row.file,
        line=row.line,
        function=row.function,
        phase=row.phase,
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


def _record(
    view: ComparedView, sides: Sides, nodes: Sequence[MergedNode], unit: ComparedUnit, scope: Scope
) -> ComparedTreeRecord:
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
