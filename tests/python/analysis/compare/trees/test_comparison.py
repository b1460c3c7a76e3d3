"""Views of two runs node by node: what the views themselves say on either side, and sums that hold."""

from collections import defaultdict

import pytest

from analysis.compare.conftest import RUNS, opened
from made.predictions import SCAN, UNROLLED
from made.recorded import DATA
from scopelight.analysis.compare.pairing import PairedLines
from scopelight.analysis.compare.trees.comparison import compare_flame_graphs, compare_graphs, compare_op_profiles
from scopelight.analysis.compare.trees.sides import Sides
from scopelight.analysis.flame.flame import flame
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.graph.view import graph
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.analysis.ops.views import op_profile

OTHERS = {"unrolled": SCAN, "scan": UNROLLED, "mi300x-conv": DATA / "mi300x-elementwise"}
GROUPINGS = ("category", "program", "scope", "line")
MEASURES = ("op-time", "wall-time", "flops", "memory")


@pytest.fixture(scope="module", params=OTHERS, ids=str)
def two(request):
    after = next(each for each in RUNS if each.name == request.param)
    return Sides([opened(OTHERS[request.param])], [opened(after)], PairedLines())


def with_itself(run):
    return Sides([run], [run], PairedLines())


def sums_hold(record):
    below = defaultdict(list)
    for node in record.nodes:
        below[node.parent].append(node)
    assert len({node.key for node in record.nodes}) == len(record.nodes)
    for node in record.nodes:
        assert (node.before or 0) + node.change == (node.after or 0)
        for side in ("before", "after"):
            own = getattr(node, f"{side}_self") or 0
            assert (getattr(node, side) or 0) == own + sum(getattr(each, side) or 0 for each in below[node.key])
    for side in ("before", "after"):
        whole = getattr(record, f"total_{side}")
        assert whole == sum(getattr(node, side) or 0 for node in below[None])
        assert whole == sum(getattr(node, f"{side}_self") or 0 for node in record.nodes)


@pytest.mark.parametrize("by", GROUPINGS)
def test_the_nodes_of_an_op_profile_are_those_of_the_view(run, by):
    view = op_profile(run, OpProfileOptions(by))
    record = compare_op_profiles(with_itself(run), OpProfileOptions(by))
    sums_hold(record)
    rows = [row for row in view.rows if row.kind != "element"]
    assert [node.key for node in record.nodes] == [row.key for row in rows]
    steps = max(1, view.extent.steps) * max(1, view.extent.devices)
    for node, row in zip(record.nodes, rows, strict=True):
        assert node.before == node.after == pytest.approx((row.self_ps or 0) / steps, abs=len(rows))
    assert {node.verdict for node in record.nodes} <= {"same", "cannot-tell"}


def test_the_whole_is_known_without_idle_time(run):
    record = compare_op_profiles(with_itself(run), OpProfileOptions())
    idle = sum(node.after for node in record.nodes if node.kind == "idle")
    assert record.whole.after == record.whole.before == record.total_after - idle
    record = compare_flame_graphs(with_itself(run), FlameOptions())
    assert record.whole.after == record.whole.before == record.total_after


@pytest.mark.parametrize("measure", MEASURES)
def test_the_nodes_of_a_flame_graph_are_those_of_the_view(run, measure):
    view = flame(run, FlameOptions(measure))
    record = compare_flame_graphs(with_itself(run), FlameOptions(measure))
    sums_hold(record)
    assert (record.unit, [node.key for node in record.nodes]) == (view.unit, [row.key for row in view.rows])
    steps = 1 if measure == "memory" else max(1, view.extent.steps) * max(1, view.extent.devices)
    assert record.total_after == pytest.approx(view.total / steps, abs=1)
    if measure in ("flops", "memory"):
        assert {node.verdict for node in record.nodes} <= {"same"}


@pytest.mark.parametrize("level", ["lines", "scopes"])
def test_the_nodes_of_a_graph_are_those_of_the_view(run, level):
    view = graph(run, GraphOptions(level=level))
    record = compare_graphs(with_itself(run), GraphOptions(level=level))
    sums_hold(record)
    by_key = {node.key: node for node in record.nodes}
    steps = max(1, view.extent.steps) * max(1, view.extent.devices)
    for node in view.nodes:
        assert by_key[node.key].after == pytest.approx((node.self_ps or 0) / steps, abs=len(by_key))
    assert {node.before for node in record.nodes} - {None} == {node.after for node in record.nodes} - {None}


def test_scopes_that_are_opened_after_are_opened_before_too(two):
    shown = graph(two.after[0], GraphOptions(level="scopes"))
    options = GraphOptions(level="scopes", open=tuple(node.key for node in shown.nodes if node.can_open))
    record = compare_graphs(two, options)
    sums_hold(record)
    closed = compare_graphs(two, GraphOptions(level="scopes"))
    assert (record.total_before, record.total_after) == (closed.total_before, closed.total_after)
    roots = {node.key: (node.before, node.after) for node in closed.nodes}
    for node in record.nodes:
        if node.depth == 0 and node.key in roots and node.before is not None and node.after is not None:
            assert (node.before, node.after) == pytest.approx(roots[node.key], abs=len(record.nodes))


def test_the_ops_around_one_are_as_ops_are_compared(run):
    record = compare_graphs(with_itself(run), GraphOptions(level="ops"))
    assert not record.is_whole
    shown = {node.key for node in graph(run, GraphOptions(level="ops")).nodes}
    assert {node.key for node in record.nodes} <= shown
    assert all(node.before == node.after and node.verdict in ("same", "cannot-tell") for node in record.nodes)


def test_sums_hold_between_runs_that_have_little_in_common(two):
    for by in GROUPINGS:
        sums_hold(compare_op_profiles(two, OpProfileOptions(by)))
    for measure in MEASURES:
        sums_hold(compare_flame_graphs(two, FlameOptions(measure)))
    for level in ("lines", "scopes"):
        sums_hold(compare_graphs(two, GraphOptions(level=level)))
