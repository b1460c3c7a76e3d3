"""What is suggested is there: a script of the workspace, by a call that works."""

import pytest

from agents.conftest import Agent, next_call


@pytest.mark.parametrize("tool", ["list_runs", "summary", "compare"])
def test_a_script_that_is_there_is_suggested(tmp_path, tool):
    (tmp_path / "a.py").write_text("")
    (tmp_path / 'my "ä" main.py').write_text("")
    agent = Agent(tmp_path)
    assert next_call(agent.call(tool).text) == ("profile_script", {"script": "a.py"})
    (tmp_path / "a.py").unlink()
    text = agent.call(tool).text
    assert next_call(text) == ("profile_script", {"script": 'my "ä" main.py'})
    assert "Nothing was run yet" in agent.follow(text).text


def test_a_script_is_found_by_what_an_error_calls_it(tmp_path):
    (tmp_path / 'my "ä" main.py').write_text("")
    agent = Agent(tmp_path)
    assert "\"my 'ä' main.py\"" in agent.error("profile_script", script="train.py")
    assert "Nothing was run yet" in agent.ask("profile_script", script="my 'ä' main.py")


def test_the_usual_scripts_come_first(tmp_path):
    for name in ("conftest.py", "main.py", "zebra.py"):
        (tmp_path / name).write_text("")
    agent = Agent(tmp_path)
    assert next_call(agent.ask("list_runs"))[1] == {"script": "main.py"}
    # What was missing is an example's as well.
    assert next_call(agent.error("predict_on_tpu"))[1] == {"script": "main.py", "tpu": "v5e-8"}


@pytest.mark.parametrize("tool", ["list_runs", "summary", "profile_script", "predict_on_tpu"])
def test_without_a_script_none_is_named(tmp_path, tool):
    last = Agent(tmp_path).call(tool).text.splitlines()[-1]
    assert last.startswith("next: p")
    assert ".py" not in last


def test_a_script_behind_a_link_that_leads_out_is_not_suggested(tmp_path):
    (tmp_path / "outside.py").write_text("")
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").symlink_to(tmp_path / "outside.py")
    assert ".py" not in Agent(folder).ask("list_runs").splitlines()[-1]
