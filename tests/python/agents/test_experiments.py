"""Rounds of two revisions: an agent sees them, compares the rounds of both, and asks of the newest by itself."""

import json
import shutil

import pytest

from agents.conftest import Agent
from scopelight.model.run.experiment import Experiment, ExperimentSide, write_experiment


def experiment_in(folder, run, name, created, complete=2):
    """An experiment with a round more of one side."""
    path = folder / ".scopelight" / name
    for side, rounds in (("before", complete + 1), ("after", complete)):
        for number in range(1, rounds + 1):
            shutil.copytree(run, path / side / f"round-{number}")
        (path / side).mkdir(parents=True, exist_ok=True)
    write_experiment(
        path,
        Experiment(
            state="interrupted",
            created=created,
            script="train.py",
            before=ExperimentSide(commit="a" * 40),
            after=ExperimentSide(commit="b" * 40, dirty=True),
            rounds_planned=5,
        ),
    )
    return path


@pytest.fixture
def project(workspace, tmp_path):
    """A workspace with an experiment and one more, of which no round is of both sides; no other run."""
    folder = tmp_path / "project"
    shutil.copytree(workspace, folder, ignore=shutil.ignore_patterns(".scopelight"))
    first = workspace / ".scopelight" / "first"
    experiment_in(folder, first, "trial ä", "2026-01-02T00:00:00+00:00")
    experiment_in(folder, first, "failed", "2026-01-03T00:00:00+00:00", complete=0)
    return folder


def test_experiments_are_listed_with_the_call_that_compares_them(project):
    agent = Agent(project)
    text = agent.ask("list_runs")
    assert "No run was captured" not in text
    failed, listed = (line for line in text.splitlines() if "aaaaaaaa → bbbbbbbb*" in line)
    assert "0 of 5 rounds; interrupted" in failed
    assert "compare(" not in failed
    assert listed.startswith('"trial ä"  2026-01-02 00:00:00 UTC; "train.py"; ')
    assert '2 of 5 rounds; interrupted; compare(before="trial ä")' in listed
    assert "before: round-1, round-2" in agent.follow(text).text
    assert [each["rounds"] for each in json.loads(agent.ask("list_runs", format="json"))["experiments"]] == [0, 2]


@pytest.mark.parametrize("named", [{}, {"before": "trial ä"}, {"after": "trial ä"}, {"before": ".scopelight/trial ä"}])
@pytest.mark.parametrize("beside", [False, True])
def test_an_experiment_alone_is_its_two_sides_with_the_rounds_of_both(project, workspace, named, beside):
    if beside:
        shutil.copytree(workspace / ".scopelight" / "first", project / ".scopelight" / "first")
        if not named:
            shutil.copytree(workspace / ".scopelight" / "first", project / ".scopelight" / "second")
    agent = Agent(project)
    text = agent.ask("compare", **named)
    assert ("before: round-1, round-2; " in text) == (bool(named) or not beside)
    assert ("after: round-1, round-2; " in text) == (bool(named) or not beside)
    assert not agent.follow(text).is_error


def test_what_names_no_run_asks_of_the_newest_after_the_change(project):
    agent = Agent(project)
    text = agent.ask("summary")
    assert "trial ä/after/round-2" in text
    assert "train.py:" in text
    assert agent.ask("summary", run="trial ä") == text.replace("next: advice()", 'next: advice(run="trial ä")')
    assert not agent.follow(text).is_error


def test_without_an_earlier_run_the_experiment_is_suggested(project, workspace):
    shutil.copytree(workspace / ".scopelight" / "first", project / ".scopelight" / "first")
    agent = Agent(project)
    text = agent.error("compare")
    assert text.endswith('next: compare(before="trial ä")')
    assert not agent.follow(text).is_error


def test_an_experiment_without_rounds_of_both_sides_says_so(project):
    agent = Agent(project)
    for tool, named in (("compare", "before"), ("summary", "run"), ("sql", "run")):
        query = {"query": "select 1"} if tool == "sql" else {}
        assert "failed has no round that was captured of both sides" in agent.error(tool, **{named: "failed"}, **query)
