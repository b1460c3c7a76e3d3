"""The level of ops: neighbourhoods, hubs, what is opened in place, ways between ops and what a search finds."""

from functools import partial
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from made.findings import codes
from made.predictions import KERNELS, UNROLLED
from made.program.graphs import LOOP, ROOTS, ask, asked, dags, hostile_modules, instructions_module
from made.program.programs import profile_of
from made.views import op_statistics
from scopelight.analysis.graph.neighbourhood import neighbours
from scopelight.analysis.graph.records import MOST_NODES
from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.program.graph.columns import program_graph

PREDICTED = Path(__file__).parents[2] / "made" / "predicted_runs" / "scan"


@pytest.fixture
def loop(tmp_path):
    (tmp_path / "step.txt").write_text(LOOP)
    return open_profile(tmp_path / "step.txt")


def named(record):
    return {node.name: node for node in record.nodes}


def edges(record):
    names = {node.key: node.name for node in record.nodes}
    return {(names[edge.source], names[edge.target]) for edge in record.edges}


def key_of(profile, name):
    return named(asked(profile, op=name))[name].key


def test_the_ops_around_one_are_found_by_name_and_by_key(loop):
    record = asked(loop, op="while.3", radius=1)
    assert {node.name: node.distance for node in record.nodes} == {"while.3": 0, "first": 1, "last": 1}
    assert edges(record) == {("first", "while.3"), ("while.3", "last")}
    assert named(record)["while.3"].trip_count == 24
    by_key = asked(loop, op=record.center, radius=1)
    assert by_key.nodes == record.nodes
    assert [crumb.name for crumb in record.breadcrumbs] == ["jit_step"]


def test_an_op_inside_a_fusion_in_a_loop_opens_its_way(loop):
    (hit,) = asked(loop, search="inner_softmax").hits
    assert [(crumb.name, crumb.trip_count) for crumb in hit.breadcrumbs] == [
        ("jit_step", None),
        ("while.3", 24),
        ("fusion.7", None),
    ]
    record = asked(loop, op=hit.key, radius=2)
    assert record.center == hit.key
    fusion = named(record)["fusion.7"]
    assert fusion.is_open
    assert hit.open == (fusion.key,)
    assert {node.name for node in record.nodes if node.parent == fusion.key} == {"inner_dot", "inner_softmax"}
    # What the loop hands its body, and what that returns, crosses its border.
    assert named(record)["while.3"].kind == "outside"
    assert edges(record) == {
        ("while.3", "inner_dot"),
        ("inner_dot", "inner_softmax"),
        ("inner_softmax", "while.3"),
    }


def test_a_loop_is_opened_in_place(loop):
    keys = (key_of(loop, "while.3"), key_of(loop, "fusion.7"))
    record = asked(loop, op="while.3", radius=1, open=keys)
    nodes = named(record)
    assert (nodes["fusion.7"].parent, nodes["inner_dot"].parent) == keys
    assert nodes["first"].parent is None
    assert edges(record) == {("first", "inner_dot"), ("inner_dot", "inner_softmax"), ("inner_softmax", "last")}


@pytest.mark.parametrize(
    ("searched", "found"),
    [
        ("inner_dot", {"inner_dot"}),
        ("dot f32[8,8]", {"inner_dot"}),
        ("net.py:13", {"fusion.7", "inner_softmax"}),
        ("softmax", {"fusion.7", "inner_softmax"}),
        ("WHILE.3", {"while.3"}),
        ("", set()),
    ],
)
def test_ops_are_found_by_what_people_know_of_them(loop, searched, found):
    record = asked(loop, search=searched)
    assert {hit.name for hit in record.hits} == found
    assert record.hits_left_out == 0


def test_what_is_not_found_is_said(loop):
    assert "no-op-found" in codes(asked(loop, search="attention"), "note")


def test_a_way_leads_through_loops(loop):
    record = asked(loop, op="first", to="last")
    assert [node.name for node in record.nodes] == ["first", "fusion.7", "last"]
    assert record.route == tuple(node.key for node in record.nodes)
    # Into a fusion where that is where it ends.
    assert [node.name for node in asked(loop, op="first", to="inner_softmax").nodes] == [
        "first",
        "inner_dot",
        "inner_softmax",
    ]


def test_a_way_is_found_from_either_end(loop):
    assert [node.name for node in asked(loop, op="last", to="first").nodes] == ["last", "fusion.7", "first"]


def _static(module):
    """A profile of a program of which nothing ran."""
    return attrs.evolve(profile_of(), modules=(module,))


def test_a_way_against_the_flow_and_none_at_all_are_told():
    # Two ops read one, another reads nothing and is read by none.
    profile = _static(instructions_module([[], [0], [0], []]))
    record = asked(profile, op="add.1", to="add.2")
    assert [node.name for node in record.nodes] == ["add.1", "add.0", "add.2"]
    assert codes(record, "note") == ["way-against-the-flow"]
    record = asked(profile, op="add.1", to="add.3")
    assert (record.route, codes(record, "warning")) == ((), ["no-way-between-ops"])


def test_an_op_that_is_not_there_is_refused(loop):
    with pytest.raises(OptionError, match=r"has no op fusion\.9"):
        asked(loop, op="fusion.9")
    with pytest.raises(OptionError, match="begins at another"):
        asked(loop, to="last")
    with pytest.raises(OptionError, match="holds no program jit_other"):
        asked(loop, program="jit_other")


def distances_by_definition(graph, center, radius):
    found = {center: 0}
    for distance in range(1, radius + 1):
        for row in [each for each, at in found.items() if at == distance - 1]:
            if row == center or not graph.is_hub[row]:
                for other in (*graph.producers(row), *graph.consumers(row)):
                    found.setdefault(other, distance)
    return found


@given(dags(), st.integers(1, 6), st.data())
def test_a_neighbourhood_is_what_is_so_many_edges_away(module, radius, data):
    graph = program_graph(module)
    if not len(graph.nodes):
        return
    center = data.draw(st.sampled_from(graph.nodes.tolist()))
    found, left_out = neighbours(graph, center, radius, most=MOST_NODES)
    assert (dict(found), left_out) == (distances_by_definition(graph, center, radius), 0)


def test_hubs_are_shown_and_not_followed_unless_asked_for():
    # A chain whose second op is read by twenty others.
    profile = _static(instructions_module([[], [0], *([[1]] * 20), [2]]))
    record = asked(profile, op="add.0", radius=3)
    hub = named(record)["add.1"]
    assert set(named(record)) == {"add.0", "add.1"}
    assert (hub.kind, hub.is_hub, hub.left_out, hub.producers, hub.consumers) == ("hub", True, 20, 1, 20)
    for followed in ({"open": (hub.key,)}, {"hubs": True}):
        record = asked(profile, op="add.0", radius=3, **followed)
        assert len(record.nodes) == 23
        assert named(record)["add.1"].is_open
    assert (hub.can_open, hub.is_open) == (True, False)
    # The op in the middle is followed, hub or not.
    assert len(asked(profile, op="add.1", radius=1).nodes) == 22


def test_no_answer_has_more_nodes_than_a_page_draws():
    profile = _static(instructions_module([[], *([[0]] * 1000)]))
    record = asked(profile, op="add.0", radius=1)
    assert len(record.nodes) == MOST_NODES - 1
    assert record.left_out == 1001 - len(record.nodes)
    assert record.nodes[0].left_out == record.left_out


def test_the_inside_of_a_fusion_divides_its_time(shared_data):
    profile = open_profile(shared_data / "mi355x-te-attention" / "934987a2fc2f.xplane.pb")
    nodes = asked(profile, level="scopes", open=()).nodes
    keys = tuple(node.key for node in nodes)
    fusions = [
        node
        for node in asked(profile, level="scopes", open=keys).nodes
        if node.opcode == "fusion" and node.repeated == 1 and node.self_ps
    ]
    assert fusions
    for fusion in fusions:
        record = asked(profile, op=fusion.key, open=(fusion.key,), radius=1)
        inside = [node for node in record.nodes if node.parent == fusion.key]
        assert sum(node.self_ps for node in inside) == fusion.self_ps
        assert {node.executions for node in inside} == {fusion.executions}


@settings(max_examples=25)
@given(hostile_modules(), st.data())
def test_circles_among_computations_end(module, data):
    profile = _static(module)
    record = asked(profile, level="ops", radius=6, hubs=True)
    keys = tuple(node.key for node in record.nodes)
    if not keys:
        return
    for level in ("ops", "scopes", "lines"):
        shown = asked(profile, level=level, open=keys, **({"radius": 6} if level == "ops" else {}))
        known = {node.key for node in shown.nodes}
        assert len(known) == len(shown.nodes) <= MOST_NODES
        assert {end for edge in shown.edges for end in (edge.source, edge.target)} <= known
    asked(profile, op=data.draw(st.sampled_from(keys)), to=data.draw(st.sampled_from(keys)))
    asked(profile, search="add")


def test_any_op_of_a_real_program_has_a_neighbourhood(shared_data):
    profile = open_profile(shared_data / "h100-maxtext-hlo" / "jit_train_step.hlo.pb.xz")
    module = profile.modules[0]
    first, second = (partial(ask, Subject.of(profile, ROOTS)) for _ in range(2))
    for each in module.instructions[::97]:
        if each.opcode in ("parameter", "constant", "tuple", "get-tuple-element", "bitcast"):
            continue
        record = first(op=each.name, radius=2)
        assert record.center in {node.key for node in record.nodes}
        assert record == second(op=each.name, radius=2)


def test_memory_at_the_peak_is_said_where_it_is_asked_for(shared_data):
    profile = open_profile(shared_data / "h100-maxtext-hlo" / "jit_train_step.hlo.pb.xz")
    assert "memory" not in asked(profile, level="scopes").overlays
    record = asked(profile, level="scopes", memory=True)
    assert "memory" in record.overlays
    assert sum(node.memory_at_peak_bytes for node in record.nodes) > 0


@pytest.mark.parametrize("name", ["mi355x-te-attention/934987a2fc2f.xplane.pb", "mi300x-conv/tw003.xplane.pb"])
def test_an_op_has_the_key_the_time_and_the_line_that_it_has_among_the_ops(name, shared_data):
    profile = open_profile(shared_data / name)
    subject = Subject.of(profile, ROOTS)
    rows = [row for row in op_statistics(profile, ROOTS).rows if row.opcode]
    assert rows
    for row in rows:
        node = next(node for node in ask(subject, op=row.key, radius=1).nodes if node.key == row.key)
        same = ("name", "self_ps", "executions", "bytes", "path", "line", "phase", "primitive", "shape", "share_ratio")
        assert {field: getattr(node, field) for field in same} == {field: getattr(row, field) for field in same}
        assert node.basis == "measured"


def test_what_is_predicted_says_so():
    record = asked(open_profile(PREDICTED), level="ops")
    assert {node.basis for node in record.nodes} <= {"predicted", None}
    assert any(node.self_ps for node in record.nodes)


@pytest.mark.parametrize("level", ["lines", "scopes", "ops"])
def test_what_has_no_estimate_has_no_time(level):
    profile = open_profile(KERNELS)
    without = {row.key for row in op_statistics(profile).rows if not row.has_estimate}
    record = asked(profile, level=level)
    unknown = [node for node in record.nodes if node.executions and node.self_ps is None]
    assert all((node.share_ratio, node.basis) == (None, None) for node in unknown)
    # Nor is that of a program none of whose ops has one.
    assert all(each.self_ps != 0 for each in record.programs)
    if level == "ops":
        assert {node.key for node in unknown if node.kind == "op"} <= without
        assert unknown
        assert not {node.key for node in record.nodes if node.self_ps is not None} & without


def test_what_is_left_of_the_forward_pass_inside_a_fusion_is_in_its_scope():
    """Its name says that it is computed again, which XLA has left out."""
    node = named(asked(open_profile(UNROLLED), op="div.51"))["div.51"]
    assert node.parent is not None
    assert (node.phase, node.scope) == ("forward", "[forward]")
