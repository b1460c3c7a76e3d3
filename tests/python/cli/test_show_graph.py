"""``scopelight show graph`` prints the graph as a table, as JSON and as Graphviz text."""

import json

import pytest
from click.testing import CliRunner

from made.program.graphs import LOOP
from scopelight.cli.main import main


@pytest.fixture
def show(tmp_path):
    path = tmp_path / "step.txt"
    path.write_text(LOOP)
    return lambda *options: CliRunner().invoke(main, ["show", "graph", str(path), *options])


def test_json_has_nodes_edges_and_what_is_left_out(show):
    record = json.loads(show("--op", "while.3", "--radius", "2", "--json").output)
    assert record["level"] == "ops"
    assert {"key", "name", "path", "line", "phase", "self_ps", "executions"} <= record["nodes"][0].keys()
    keys = {node["name"]: node["key"] for node in record["nodes"]}
    assert {(edge["source"], edge["target"], edge["bytes"]) for edge in record["edges"]} == {
        (keys["first"], keys["while.3"], 256),
        (keys["while.3"], keys["last"], 256),
    }
    assert (record["left_out"], record["findings"]) == (0, [])
    by_key = json.loads(show("--op", keys["while.3"], "--json").output)
    assert by_key["nodes"] == record["nodes"]


def test_several_nodes_are_opened(show):
    record = json.loads(show("--op", "while.3", "--json").output)
    loop = next(node["key"] for node in record["nodes"] if node["name"] == "while.3")
    record = json.loads(show("--op", "while.3", "--open", loop, "--json").output)
    fusion = next(node["key"] for node in record["nodes"] if node["name"] == "fusion.7")
    record = json.loads(show("--op", "while.3", "--open", loop, "--open", fusion, "--json").output)
    assert {node["name"] for node in record["nodes"] if node["parent"] == fusion} == {"inner_dot", "inner_softmax"}


def test_dot_is_text_for_graphviz(show):
    text = show("--op", "while.3", "--dot").output
    assert text.startswith("digraph program {\n")
    assert text.count(" -> ") == 2


def test_what_is_not_there_is_said_with_the_option(show):
    result = show("--op", "fusion.9")
    assert result.exit_code == 2
    assert "Invalid value for '--op': The program jit_step has no op fusion.9." in " ".join(result.output.split())
    assert "is not in the range 1<=x<=6" in show("--op", "first", "--radius", "7").output


def test_help_names_what_can_be_chosen(show):
    text = show("--help").output
    for option in ("--module", "--level", "--op", "--radius", "--open", "--hubs", "--to", "--search", "--dot"):
        assert option in text


@pytest.mark.parametrize("options", [["--radius", "3"], ["--hubs"], ["--level", "scopes", "--radius", "1"]])
def test_what_is_around_an_op_is_not_asked_without_one(show, options):
    result = show(*options)
    assert result.exit_code == 2
    said = " ".join(result.output.split())
    assert "This says what is shown around an op: name that, or choose the level of ops." in said
    assert show("--level", "ops", *options[-2:]).exit_code == 0


def test_a_record_has_one_form_at_a_time(show):
    result = show("--dot", "--json")
    assert result.exit_code == 2
    assert "--json and --dot are two forms of a record: give one of them." in " ".join(result.output.split())


def test_the_limit_promises_no_more_than_the_record_holds(show):
    assert "of JSON it cuts nothing" in " ".join(show("--help").output.split())
