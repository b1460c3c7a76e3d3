"""Compares a view of two runs, or of rounds of two, node by node: the op profile, the flame graph, the graph.

Each takes the options that the view is asked with, and raises `OptionError` where either side has not what they name.
"""

from collections.abc import Callable, Sequence

import attrs

from scopelight.analysis.compare.comparison import compare
from scopelight.analysis.compare.records import ComparedRow
from scopelight.analysis.compare.trees.flame import flame_entries
from scopelight.analysis.compare.trees.graph import line_entries, program_in, programs_in, scope_entries
from scopelight.analysis.compare.trees.merging import MergedNode, merged, together
from scopelight.analysis.compare.trees.op_profile import op_profile_entries
from scopelight.analysis.compare.trees.records import ComparedNode, ComparedTreeRecord, ComparedUnit
from scopelight.analysis.compare.trees.side import TreeEntry, side_tree
from scopelight.analysis.compare.trees.sides import Sides, merged_sides, tree_record
from scopelight.analysis.flame.options import FlameMeasure, FlameOptions
from scopelight.analysis.graph.lines import rest_key
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.records import Graph
from scopelight.analysis.graph.view import graph
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject

_UNITS: dict[FlameMeasure, ComparedUnit] = {
    "op-time": "ps",
    "wall-time": "ps",
    "flops": "flops",
    "memory": "bytes",
}


def compare_op_profiles(sides: Sides, options: OpProfileOptions) -> ComparedTreeRecord:
    """The op profile in one grouping, idle time included."""
    scope = sides.scope(options.scope)
    nodes = merged_sides(sides, lambda subject: op_profile_entries(subject, options, scope))
    return tree_record("op-profile", sides, nodes, "ps", scope)


def compare_flame_graphs(sides: Sides, options: FlameOptions) -> ComparedTreeRecord:
    """The flame graph of one measure."""
    scope = sides.scope(options.scope)
    nodes = merged_sides(sides, lambda subject: flame_entries(subject, options, scope))
    return tree_record("flame", sides, nodes, _UNITS[options.measure], scope)


def compare_graphs(sides: Sides, options: GraphOptions) -> ComparedTreeRecord:
    """The nodes that the graph of the first run after shows with these options, and what is only before."""
    scope = sides.scope(options.scope)
    shown = graph(sides.after[0], attrs.evolve(options, search=None, memory=False, scope=scope))
    if shown.level == "ops":
        return _compared_ops(sides, shown, scope)
    wanted = _program(sides, options, shown, scope)
    if shown.level == "lines":
        every = merged_sides(sides, _lines_of(options.device, scope, wanted))
        return tree_record("graph", sides, _as_shown(every, shown), "ps", scope)
    if wanted is None:
        return tree_record("graph", sides, [], "ps", scope)
    return tree_record("graph", sides, _scopes(sides, options, scope, wanted), "ps", scope)


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
        tree_record("graph", sides, [], "ps", scope),
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
