"""Runs, or rounds of them, opened and compared."""

from collections.abc import Sequence
from pathlib import Path

from scopelight.analysis.compare.comparison import compare
from scopelight.analysis.compare.lists.comparison import compare_list
from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.compare.records import ComparedBy, ComparisonRecord
from scopelight.analysis.compare.trees.comparison import compare_flame_graphs, compare_graphs, compare_op_profiles
from scopelight.analysis.compare.trees.records import ComparedTreeRecord
from scopelight.analysis.compare.trees.sides import Sides
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.analysis.subject import Subject
from scopelight.source.paired.lines import paired_lines
from scopelight.views.opening import open_subject


def compare_runs(before: Sequence[Subject], after: Sequence[Subject], by: ComparedBy = "line") -> ComparisonRecord:
    """Compare the runs of two sides, of several each with that of its place on the other side."""
    return compare(before, after, paired_lines(before[0], after[0]), by)


def compare_view(
    before: Sequence[Subject],
    after: Sequence[Subject],
    options: OpProfileOptions | FlameOptions | GraphOptions | ComparedListOptions,
) -> ComparedTreeRecord:
    """The same of a view node by node, or row by row, asked for as the view is. Raises `OptionError` as it does."""
    rounds = min(len(before), len(after))
    sides = Sides(before[:rounds], after[:rounds], paired_lines(before[0], after[0]))
    if isinstance(options, ComparedListOptions):
        return compare_list(sides, options)
    if isinstance(options, OpProfileOptions):
        return compare_op_profiles(sides, options)
    return compare_flame_graphs(sides, options) if isinstance(options, FlameOptions) else compare_graphs(sides, options)


def compare_paths(before: Sequence[Path], after: Sequence[Path], by: ComparedBy, *folders: Path) -> ComparisonRecord:
    """The same of their directories; ``folders`` are the workspace's, as for any run."""
    return compare_runs(
        [open_subject(each, *folders) for each in before], [open_subject(each, *folders) for each in after], by
    )
