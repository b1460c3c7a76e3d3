"""What is wrong with a profile is said beside its figures, however much else there is to say."""

import json
import shutil

import pytest

from agents.conftest import Agent
from scopelight.agents.answer import MOST_CHARACTERS

ASKED = {
    "summary": {},
    "hot_lines": {"limit": 50},
    "advice": {},
    "memory_at_peak": {},
    "sql": {"query": "select * from executions limit 200", "limit": 200},
}


@pytest.fixture(scope="module")
def cut(workspace, tmp_path_factory):
    """An agent with a run whole, and the same cut off."""
    folder = tmp_path_factory.mktemp("cut").resolve() / "project"
    shutil.copytree(workspace, folder)
    largest = max((folder / ".scopelight" / "second").rglob("*.xplane.pb"), key=lambda file: file.stat().st_size)
    data = largest.read_bytes()
    largest.write_bytes(data[: len(data) * 9 // 10])
    return Agent(folder)


@pytest.mark.parametrize("tool", ASKED)
def test_a_profile_that_is_cut_off_is_called_so(cut, tool):
    text = cut.ask(tool, **ASKED[tool], run="second")
    assert "is cut off" in text
    assert len(text) <= MOST_CHARACTERS
    assert "is cut off" not in cut.ask(tool, **ASKED[tool], run="first")


def test_an_op_of_it_says_so(cut):
    # Names are lost with the end of the file: the error has those that there are.
    assert "is cut off" in cut.follow(cut.error("op_detail", op="nothing_of_the_kind", run="second")).text
    assert "is cut off" not in cut.ask("op_detail", op="dot_general", run="first")


@pytest.mark.parametrize("sides", [("first", "second"), ("second", "first")])
def test_either_side_of_a_comparison_is_called_so(cut, sides):
    assert "is cut off" in cut.ask("compare", before=sides[0], after=sides[1], limit=50)
    query = {"query": "select count(*) from executions"}
    assert "is cut off" in cut.ask("sql", run=sides[0], more_runs=[sides[1]], **query)


def test_a_program_that_reads_the_answer_is_told_as_well(cut):
    query = {"query": "select count(*) from executions"}
    assert "is cut off" in " ".join(json.loads(cut.ask("sql", run="second", format="json", **query))["warnings"])
    assert "is cut off" in " ".join(json.loads(cut.ask("summary", run="second", format="json"))["findings"])
