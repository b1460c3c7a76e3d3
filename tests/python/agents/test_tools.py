"""Every tool: what a model is told of it, and answers that are short, name lines, and lead on."""

import json
import re

import pytest
from jsonschema import Draft202012Validator

from agents.conftest import next_call
from scopelight.agents.answer import MOST_CHARACTERS
from scopelight.agents.arguments import schema_of
from scopelight.agents.table import TOOLS
from scopelight.views.table import VIEWS

ARGUMENTS = {
    "line_detail": {"line": "network.py:5"},
    "op_detail": {"op": "dot_general"},
    "profile_script": {"script": "train.py"},
    "predict_on_tpu": {"script": "train.py", "tpu": "v5e-8"},
    "sql": {"query": "select path, line, self_ps from lines order by self_ps desc"},
}


@pytest.mark.parametrize("name", TOOLS)
def test_the_schema_is_valid_and_has_a_sentence_for_each_argument(name):
    schema = schema_of(TOOLS[name])
    Draft202012Validator.check_schema(schema)
    assert all(each["description"].endswith((".", "…")) for each in schema["properties"].values())
    Draft202012Validator(schema).validate(ARGUMENTS.get(name, {}))
    assert set(schema.get("required", ())) == set(ARGUMENTS.get(name, {}))


def test_a_tool_that_is_a_view_takes_its_options():
    assert {"scope"} <= schema_of(TOOLS["hot_lines"])["properties"].keys()
    assert {"device", "target", "scope"} <= schema_of(TOOLS["op_detail"])["properties"].keys()
    assert all(tool.view_id is None or tool.view_id in VIEWS for tool in TOOLS.values())


def test_only_what_starts_a_script_changes_anything():
    assert {name for name, tool in TOOLS.items() if not tool.is_read_only} == {"profile_script", "predict_on_tpu"}


@pytest.mark.parametrize("name", TOOLS)
def test_an_answer_is_short_and_its_last_line_is_a_call_that_works(agent, name):
    text = agent.ask(name, **ARGUMENTS.get(name, {}))
    assert len(text) <= MOST_CHARACTERS
    assert [line for line in text.splitlines() if line.startswith("next: ")] == text.splitlines()[-1:]
    tool, _ = next_call(text)
    assert tool in TOOLS
    if not TOOLS[tool].runs_script:
        assert not agent.follow(text).is_error


@pytest.mark.parametrize("name", TOOLS)
def test_the_same_is_there_as_json(agent, name):
    read = json.loads(agent.ask(name, **ARGUMENTS.get(name, {}), format="json"))
    assert next_call(f"next: {read['next']}")[0] in TOOLS


@pytest.mark.parametrize("name", ["summary", "hot_lines", "line_detail", "op_detail", "advice", "memory_at_peak"])
def test_lines_are_named_with_their_file(agent, name):
    assert "train.py:" in (text := agent.ask(name, **ARGUMENTS.get(name, {}))) or "network.py:" in text


def test_the_line_that_waits_is_found_in_three_calls(agent, workspace):
    lines = (workspace / "train.py").read_text().splitlines()
    slow = f"train.py:{next(number for number, line in enumerate(lines, 1) if '# line: slow' in line)}"
    runs = agent.ask("list_runs")
    summary = agent.follow(runs).text
    assert "waiting for input" in summary
    advice = agent.ask("advice")
    assert slow in advice
    assert "input-bound" in advice


def test_what_is_estimated_is_marked(agent):
    # Python 3.11 does not tell of lines, which are sampled there.
    text = agent.ask("hot_lines")
    assert "≈" in text


@pytest.mark.parametrize("tool", ["summary", "hot_lines", "advice", "memory_at_peak", "compare"])
def test_every_line_that_is_named_can_be_opened(agent, tool):
    for place in set(re.findall(r"\b(?:train|network)\.py:\d+", agent.ask(tool))):
        assert place in agent.ask("line_detail", line=place)


def test_errors_name_what_exists(agent):
    assert "train.py:" in agent.error("line_detail", line="train.py:999")
    assert "network.py" in agent.error("hot_lines", file="nothing.py")
    assert '"dot' in agent.error("op_detail", op="nothing_of_the_kind")
    assert '"second"' in agent.error("summary", run="third")
    assert "hot_lines" in agent.error("hot_line")
    assert "it takes" in agent.error("summary", nonsense=1)
    assert "needs line" in agent.error("line_detail")
    assert "at most" in agent.error("hot_lines", limit=1000)
    assert "one of line, function" in agent.error("hot_lines", by="colour")
    assert "an integer" in agent.error("hot_lines", limit="many")
    assert "train_step" in agent.error("op_detail", op="dot_general", program="nothing")
    assert "lines" in agent.error("sql", query=".schema nothing")


def test_every_error_leads_on(agent):
    for text in (
        agent.error("line_detail", line="x.py:1"),
        agent.error("op_detail", op="x"),
        agent.error("summary", run="x"),
    ):
        assert not agent.follow(text).is_error


def test_a_run_is_meant_by_its_name_its_path_or_as_the_newest(agent, workspace):
    assert "Run second" in agent.ask("summary")
    assert "Run first" in agent.ask("summary", run="first")
    assert "Run first" in agent.ask("summary", run=".scopelight/first")
    assert "Run first" in agent.ask("summary", run=str(workspace / ".scopelight" / "first"))


def test_a_line_is_meant_by_the_end_of_its_path(agent, workspace):
    assert agent.ask("line_detail", line=f"{workspace}/network.py:5") == agent.ask("line_detail", line="network.py:5")


def test_rows_that_are_left_out_are_counted_with_what_they_hold(agent):
    text = agent.ask("hot_lines", limit=1)
    assert " more lines, together " in text
    assert " are left out." in text


def test_runs_that_are_alike_have_no_change_of_what_is_exact(agent):
    text = agent.ask("compare", before="first", after="second")
    assert "FLOPs of a step (exact)" in text
    assert "none: no change" in text


def test_a_run_is_opened_once(agent, desk):
    agent.ask("summary", run="first")
    opened = desk.opened.subject(desk.workspace, desk.workspace.run("first"))
    agent.ask("hot_lines", run="first")
    assert desk.opened.subject(desk.workspace, desk.workspace.run("first")) is opened


def test_one_thing_that_is_left_out_is_one(agent):
    lines = len(json.loads(agent.ask("hot_lines", limit=50, format="json"))["lines"])
    assert "\n1 more line, " in agent.ask("hot_lines", limit=lines - 1)
    rows = agent.ask("sql", query="select 1 from ops limit 2", limit=1)
    assert "1 more row is left out" in rows
    assert not re.search(r"\b1 (buffers|ops|lines|rows|runs|steps|programs|more lines|more rows)\b", rows)
    assert not re.search(r"\b1 buffers\b", agent.ask("memory_at_peak"))


def test_a_query_without_end_is_told_what_an_agent_can_do(agent, monkeypatch):
    monkeypatch.setattr("scopelight.agents.tools.sql.SECONDS_OF_AGENTS", 0.2)
    endless = "with recursive t(i) as (select 1 union all select i + 1 from t) select count(*) from t"
    text = agent.error("sql", query=endless)
    assert "ask in several queries" in text
    assert "more time" not in text
