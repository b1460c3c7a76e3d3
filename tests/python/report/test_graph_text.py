"""The graph in the terminal and for Graphviz: names, marks, what hands to which, and nothing that a terminal obeys."""

from io import StringIO
from pathlib import Path

import attrs
import pytest
from rich.console import Console

from made.predictions import KERNELS
from made.program.graphs import LOOP, asked, layers_text
from scopelight.model.opening.profile import open_profile
from scopelight.report.graph.dot import as_dot
from scopelight.report.graph.terminal import render_graph


@pytest.fixture
def opened(tmp_path):
    def make(text):
        (tmp_path / "step.txt").write_text(text)
        return open_profile(tmp_path / "step.txt")

    return make


def rendered(record, limit=20):
    console = Console(file=StringIO(), width=300)
    render_graph(record, console, base=Path("/w"), limit=limit)
    return console.file.getvalue()


def test_lines_are_listed_with_what_they_hand_on(opened):
    text = rendered(asked(opened(layers_text(24))))
    line = next(each for each in text.splitlines() if each.startswith("net.py:6"))
    assert "net.py:7" in line
    assert "4 of 4 lines by phase." in text


def test_equal_layers_are_marked(opened):
    assert "×24" in rendered(asked(opened(layers_text(24, named=True)), level="scopes"))


def test_the_way_to_an_op_is_said(opened):
    text = rendered(asked(opened(LOOP), op="inner_dot"))
    assert text.startswith("jit_step › while.3 ×24 › fusion.7.")
    assert any(each.startswith("→") and "inner_dot" in each for each in text.splitlines())


def test_what_a_search_finds_is_listed_with_its_way(opened):
    text = rendered(asked(opened(LOOP), search="inner_dot"))
    found = next(each for each in text.splitlines() if each.startswith("inner_dot"))
    assert "jit_step › while.3 ×24 › fusion.7" in found
    assert "1 of 1 found." in text


def test_what_is_cut_is_counted(opened):
    assert "2 of 4 lines by phase." in rendered(asked(opened(layers_text(24))), limit=2)


def test_names_of_a_program_move_no_terminal(opened):
    text = rendered(asked(opened(LOOP.replace("jit_step", "jit_step\x1b[2J")), op="first"))
    assert "\x1b" not in text


def test_graphviz_has_each_node_and_edge_once_and_opened_ones_around_what_is_in_them(opened):
    profile = opened(LOOP)
    record = asked(profile, op="inner_dot", radius=2)
    text = as_dot(record)
    assert text.startswith("digraph program {\n")
    assert text.endswith("}\n")
    assert text.count("{") == text.count("}")
    assert text.count("subgraph cluster_") == sum(node.is_open for node in record.nodes) == 1
    assert text.count(" -> ") == len(record.edges)
    inside = text[text.index("subgraph") : text.index("  }\n")]
    assert "inner_dot" in inside
    assert "while.3" not in inside
    assert text == as_dot(asked(profile, op="inner_dot", radius=2))


def test_graphviz_is_given_no_quote_of_a_name(opened):
    record = asked(opened(LOOP.replace("jit(step)/neg", "jit(step)/neg'\\\\")), op="first")
    for line in as_dot(record).splitlines():
        assert line.replace("\\\\", "").replace('\\"', "").count('"') % 2 == 0


def test_what_has_no_estimate_says_so():
    record = attrs.evolve(asked(open_profile(KERNELS), level="ops"), predicted_for="TPU v6e")
    text = rendered(record, limit=100)
    rows = [line for line in text.splitlines() if "  no estimate  " in line]
    assert len(rows) > 1
    assert f"\n{len(rows)} have no estimate.\n" in text
    assert "≈0 ps" not in text
    assert "≈0.0 %" not in text
