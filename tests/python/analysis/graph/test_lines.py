"""The level of lines: the time of the view of lines to the picosecond, the smallest lines as one."""

from collections import Counter
from pathlib import Path

import pytest

from made.findings import codes
from made.program.graphs import LOOP, ROOTS, asked, layers_text
from made.recorded import DATA
from scopelight.analysis.graph.lines import MOST_LINES
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.records import PHASE_NAMES
from scopelight.model.opening.profile import open_profile

PREDICTED = Path(__file__).parents[2] / "made" / "predicted_runs"
RAN = (
    *sorted(PREDICTED.iterdir()),
    *(DATA / name for name in ("mi300x-conv", "mi300x-elementwise", "mi355x-te-attention", "tpu-v6e-host-offload")),
)


@pytest.fixture(params=RAN, ids=lambda path: path.name)
def ran(request):
    if not request.param.is_dir():
        pytest.skip("../shared/data is absent")
    files = sorted(request.param.glob("*.xplane.pb"))
    return open_profile(files[0] if files else request.param)


@pytest.mark.parametrize("scope", ["steps", "window"])
def test_times_are_those_of_the_view_of_lines(ran, scope):
    record, lines = asked(ran, scope=scope), hot_lines(ran, ROOTS, scope)
    assert (record.op_time_ps, record.unattributed_ps) == (lines.op_time_ps, lines.unattributed_ps)
    assert sum(node.self_ps or 0 for node in record.nodes) + record.unattributed_ps == record.op_time_ps
    of_nodes = Counter()
    for node in record.nodes:
        if node.kind == "line":
            of_nodes[node.line_key, node.phase] += node.self_ps or 0
    of_lines = Counter({(line.key, name): getattr(line, f"{name}_ps") for line in lines.lines for name in PHASE_NAMES})
    # Those that are put together as the rest are in none of the nodes of lines.
    assert +of_nodes == (+of_lines if not record.left_out else +of_nodes & +of_lines)
    assert len(record.nodes) <= MOST_LINES


def test_edges_are_between_nodes_that_are_there(ran):
    record = asked(ran)
    keys = {node.key for node in record.nodes}
    assert len(keys) == len(record.nodes)
    assert {end for edge in record.edges for end in (edge.source, edge.target)} <= keys
    assert all(edge.source != edge.target for edge in record.edges)


@pytest.fixture
def made(tmp_path):
    def make(text):
        (tmp_path / "step.txt").write_text(text)
        return open_profile(tmp_path / "step.txt")

    return make


def lines_of(record):
    named = {node.key: node.line for node in record.nodes}
    return {(named[edge.source], named[edge.target]): edge.bytes for edge in record.edges}


def test_what_did_not_run_has_no_time(made):
    record = asked(made(layers_text(24)))
    assert (record.op_time_ps, record.unattributed_ps, record.overlays) == (None, None, ("bytes",))
    assert {(node.self_ps, node.share_ratio, node.executions, node.basis) for node in record.nodes} == {
        (None, None, None, None)
    }
    assert {node.line: node.ops for node in record.nodes} == {6: 24, 7: 24, 3: 1, 9: 1}
    # A layer hands its array to the tanh, which hands it to the next one, the last to what follows.
    assert lines_of(record) == {(3, 6): 256, (6, 7): 24 * 256, (7, 6): 23 * 256, (7, 9): 256}


def test_lines_inside_a_loop_are_bound_to_those_around_it(made):
    lines = lines_of(asked(made(LOOP)))
    # The most of the fusion is its product, on line 12.
    assert lines[10, 12] == lines[12, 14] == 256
    # What the product hands on stays inside.
    assert lines[12, 13] == 256


def test_the_smallest_lines_are_one_node(made):
    count = MOST_LINES + 40
    ops = "\n".join(
        f"  %tanh.{line} = f32[8,8]{{1,0}} tanh(%x),"
        f' metadata={{op_name="jit(f)/tanh" source_file="/w/net.py" source_line={line}}}'
        for line in range(1, count + 1)
    )
    text = f"HloModule jit_f\n\nENTRY %main (x: f32[8,8]) -> f32[8,8] {{\n  %x = f32[8,8]{{1,0}} parameter(0)\n{ops}\n"
    record = asked(made(f"{text}  ROOT %abs = f32[8,8]{{1,0}} abs(%tanh.1)\n}}\n"))
    assert len(record.nodes) == MOST_LINES
    rest = record.nodes[-1]
    assert (rest.kind, rest.left_out, record.left_out) == ("rest", 41, 41)
    assert sum(node.ops for node in record.nodes) == count + 1


def test_a_profile_whose_ops_have_no_line_says_so(shared_data):
    record = asked(open_profile(shared_data / "v100-tensorflow" / "worker.xplane.pb"))
    assert record.nodes == ()
    assert codes(record, "empty") == ["ops-of-no-line-of-yours"]
