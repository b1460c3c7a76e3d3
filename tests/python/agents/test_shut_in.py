"""Nothing outside of the workspace is read, whatever names it: an argument, a link, or a profile."""

import shutil

import pytest

from agents.conftest import Agent


@pytest.mark.parametrize("run", ["/etc", "../other", "/etc/passwd", "..", "a/../../other"])
def test_a_run_elsewhere_is_refused_in_a_sentence(agent, run):
    text = agent.error("summary", run=run)
    assert "outside of the workspace" in text
    assert text.count("\n") == 1


def test_a_link_that_leads_out_is_refused(workspace, tmp_path):
    project = tmp_path / "project"
    shutil.copytree(workspace, project)
    (project / ".scopelight" / "linked").symlink_to(workspace / ".scopelight" / "first")
    agent = Agent(project)
    assert "outside of the workspace" in agent.error("summary", run="linked")
    assert "linked" not in agent.ask("list_runs")


def test_a_run_that_holds_a_link_that_leads_out_is_refused(workspace, tmp_path):
    project = tmp_path / "project"
    shutil.copytree(workspace / ".scopelight" / "first", project / ".scopelight" / "first")
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    (project / ".scopelight" / "first" / "linked.json").symlink_to(secret)
    assert "leads out of the workspace" in Agent(project).error("summary")


def test_a_workspace_that_is_a_link_itself_is_read(workspace, tmp_path):
    (tmp_path / "link").symlink_to(workspace)
    assert "train.py:" in Agent(tmp_path / "link").ask("hot_lines")


def test_a_file_that_a_profile_names_outside_is_not_read(workspace, tmp_path):
    # Without the run's copies the source is looked for on the disk, where the profile says that it is.
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(workspace / ".scopelight" / "first", elsewhere / ".scopelight" / "first")
    shutil.rmtree(elsewhere / ".scopelight" / "first" / "sources")
    text = Agent(elsewhere).ask("hot_lines")
    assert "network.py:5" in text
    assert "jnp.tanh" not in text
    shutil.copytree(workspace / ".scopelight" / "first", tmp_path / "copy")
    assert "jnp.tanh" in Agent(workspace).ask("hot_lines", run="first")


def test_a_script_elsewhere_is_not_run(agent, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("")
    assert "outside of the workspace" in agent.error("profile_script", script=str(script), confirmed=True)
    assert "train.py" in agent.error("profile_script", script="nothing.py", confirmed=True)


@pytest.mark.parametrize("tool", ["summary", "hot_lines", "compare"])
def test_a_workspace_without_runs_says_how_to_make_one(tmp_path, tool):
    agent = Agent(tmp_path)
    assert "next: profile_script" in agent.error(tool)
    assert "No run was captured" in agent.ask("list_runs")
