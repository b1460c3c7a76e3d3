"""Of a run of a million events answers are as short, and it is read once."""

import attrs
import pytest

from agents.conftest import Agent
from made.many import repeated
from scopelight.agents.answer import MOST_CHARACTERS
from scopelight.agents.table import TOOLS
from scopelight.analysis.subject import Subject

EVENTS = 1_000_000
ARGUMENTS = {
    "line_detail": {"line": "network.py:5"},
    "op_detail": {"op": "dot_general"},
    "sql": {"query": "select op_id, device_id, start_ps, self_ps from executions"},
}


@pytest.fixture(scope="module")
def large(workspace):
    """An agent whose newest run has a million executions."""
    agent = Agent(workspace)
    subject = agent.desk.opened.subject(agent.desk.workspace, agent.desk.workspace.run("first"))
    made = repeated(subject.profile, EVENTS)
    assert len(made.executions.start_ps) >= EVENTS
    path = agent.desk.workspace.run("second")
    agent.desk.opened.hold(agent.desk.workspace, path, Subject.of(attrs.evolve(made, path=path), subject.line_options))
    return agent


@pytest.mark.parametrize("name", [name for name, tool in TOOLS.items() if not tool.runs_script])
@pytest.mark.parametrize("form", ["text", "json"])
def test_answers_are_as_short(large, name, form):
    text = large.ask(name, **ARGUMENTS.get(name, {}), format=form)
    assert len(text) <= MOST_CHARACTERS
