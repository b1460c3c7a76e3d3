"""The file of budgets is the nearest above the run's script that speaks of Scopelight."""

import pytest

from scopelight.budgets.config import config_of, read_config
from scopelight.budgets.repository import repository_root
from scopelight.model.run.information import RunInformation

TABLE = "[tool.scopelight.budgets]\nstep_ms = 1\n"


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    (folder / "jobs" / "deep").mkdir(parents=True)
    (folder / ".scopelight" / "1-train").mkdir(parents=True)
    return folder


def run_in(folder, script="jobs/train.py", cwd=None):
    return RunInformation(path=folder / ".scopelight" / "1-train", cwd=str(cwd or folder), script=script)


def write(folder, text=TABLE):
    (folder / "pyproject.toml").write_text(text)
    return folder / "pyproject.toml"


def test_the_nearest_is_taken(project):
    outer = write(project)
    assert config_of(run_in(project)) == outer
    inner = write(project / "jobs")
    assert config_of(run_in(project)) == inner
    assert config_of(run_in(project, "jobs/deep/train.py")) == inner


def test_one_that_says_nothing_of_budgets_is_passed_over(project):
    other = write(project / "jobs", "[project]\nname = 'x'\n")
    assert config_of(run_in(project)) == other
    outer = write(project)
    assert config_of(run_in(project)) == outer


def test_a_project_that_was_copied_has_the_budgets_that_lie_with_it(project, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(elsewhere)
    here = write(project)
    assert config_of(run_in(project, cwd=elsewhere)) == here


def test_where_the_run_knows_nothing_it_is_looked_for_where_one_is(project, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    file = write(other)
    assert config_of(None, other) == file
    assert config_of(run_in(project, "\0", cwd="/absent"), other) == file


def test_a_file_that_is_none_is_not_read(tmp_path):
    assert read_config(tmp_path) is None
    assert read_config(tmp_path / "absent") is None
    (tmp_path / "x").write_bytes(b"\xef\xbb\xbf\xff = 1")
    assert read_config(tmp_path / "x") == "\N{REPLACEMENT CHARACTER} = 1"


def test_a_repository_is_what_git_keeps(project):
    assert repository_root(project / "jobs") == project / "jobs"
    # Of a worktree it is a file.
    (project / ".git").write_text("gitdir: elsewhere")
    assert repository_root(project / "jobs" / "deep") == project
