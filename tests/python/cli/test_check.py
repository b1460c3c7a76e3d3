"""``scopelight check`` holds a captured run against the budgets of its project, and ends with what came of it."""

import json
import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from scopelight.cli.check import EXIT_CODES, NOT_MEASURED
from scopelight.cli.main import main

SCRIPT = """import jax
import jax.numpy as jnp


@jax.jit
def train_step(weights, batch):
    def loss(weights):
        return jnp.sum((batch @ weights) ** 2)

    return weights - 0.01 * jax.grad(loss)(weights)


def unused():
    return None


def main():
    weights = jnp.ones((SIZE, SIZE))
    batch = jnp.ones((SIZE, SIZE))
    for _ in range(40):
        weights = train_step(weights, batch).block_until_ready()


main()
"""


def capture(folder, size=128):
    (folder / "train.py").write_text(SCRIPT.replace("SIZE", str(size)))
    command = [sys.executable, "-m", "scopelight.cli.main", "run", "--steps", "8", "--no-memory", "train.py"]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="module")
def captured(tmp_path_factory):
    """A project with a run of a step that is 128 wide, and another whose step is 129 wide."""
    folder = tmp_path_factory.mktemp("project")
    wider = folder / "wider"
    wider.mkdir()
    capture(folder)
    capture(wider, 129)
    return folder


@pytest.fixture
def project(captured, tmp_path, monkeypatch):
    """A copy of it to edit, which one is in."""
    folder = tmp_path / "project"
    shutil.copytree(captured, folder)
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    return folder


def budgets(project, *lines):
    (project / "pyproject.toml").write_text("\n".join(["[tool.scopelight.budgets]", *lines, ""]))


def check(*arguments):
    result = CliRunner().invoke(main, ["check", *map(str, arguments)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def record(*arguments):
    result = check("--format", "json", *arguments)
    return json.loads(result.stdout), result.exit_code


def rows(told):
    return {f"{each['place'] or ''} {each['name']}".strip(): each for each in told["rows"]}


def test_what_is_held_ends_with_0(project):
    budgets(
        project,
        "step_ms = 100000",
        "peak_memory_gib = 1",
        "compilations = 1",
        '"train.py:train_step".compilations = 1',
        '"train.py:main".share = "100 %"',
        '"train.py".waiting_share = 1',
        '"train.py:unused".share = "0 %"',
    )
    told, code = record()
    assert {each["verdict"] for each in told["rows"]} == {"held"}, told
    assert code == 0
    found = rows(told)
    assert found["peak_memory_gib"]["basis"] == "planned"
    # 128 by 128 numbers of four bytes: weights, batch and what the step gives, at least.
    assert 3 * 128 * 128 * 4 <= found["peak_memory_gib"]["value"] < 2**21
    assert found["train.py:unused share"]["value"] == 0
    assert [each["code"] for each in found["train.py:unused share"]["findings"]] == ["budget-place-without-time"]


def test_a_broken_budget_ends_with_1_and_is_on_the_line_of_today(project):
    budgets(project, '"train.py:train_step".step_ms = 0.000001', "step_ms = 100000")
    assert rows(record()[0])["train.py:train_step step_ms"]["line"] == 6
    script = project / "train.py"
    script.write_text("# one\n# two\n# three\n" + script.read_text().replace("@jax.jit\n", "@jax.jit\n\n"))
    told, code = record()
    row = rows(told)["train.py:train_step step_ms"]
    assert (code, row["verdict"], row["line"], row["file"]) == (1, "broken", 10, str(script))
    result = check("--format", "github")
    assert result.exit_code == 1
    (error,) = (each for each in result.stdout.splitlines() if each.startswith("::error"))
    assert error.startswith("::error file=train.py,line=10,title=Budget broken%3A train.py%3Atrain_step step_ms::")


def test_a_function_takes_no_longer_than_the_step_that_it_is_in(project):
    budgets(project, "step_ms = 100000", '"train.py:main".step_ms = 100000', '"train.py:train_step".step_ms = 100000')
    found = rows(record()[0])
    step, main_, train_step = (
        found[name]["value"] for name in ("step_ms", "train.py:main step_ms", "train.py:train_step step_ms")
    )
    assert 0 < train_step <= main_ <= step


def test_a_function_may_be_named_by_its_last_part(project):
    names = ("loss", "train_step.loss", "train_step.<locals>.loss")
    budgets(project, *(f'"train.py:{name}".share = 1' for name in names))
    shares = {each["value"] for each in record()[0]["rows"]}
    assert len(shares) == 1
    assert shares.pop() > 0


def test_a_near_limit_on_a_cpu_cannot_be_told(project):
    budgets(project, "step_ms = 1")
    step_ms = rows(record()[0])["step_ms"]["value"] / 10**9
    budgets(project, f"step_ms = {step_ms * 1.05:.6f}")
    told, code = record()
    assert (rows(told)["step_ms"]["verdict"], code) == ("cannot-tell", 2)
    assert check("--strict").exit_code == 1


def test_what_nothing_measured_ends_with_3(project):
    budgets(project, 'flops_change = "0 %"', "padding_ratio = 0.1")
    told, code = record()
    assert {each["verdict"] for each in told["rows"]} == {"not-measured"}
    assert code == 3
    told, _ = record("--target", "TPU v5e")
    assert rows(told)["padding_ratio"]["value"] is not None


def test_a_function_that_is_not_there_is_said_on_its_line(project):
    budgets(project, "compilations = 1", '"train.py:train_stp".share = 1', '"trian.py".share = 1')
    result = check("--format", "github")
    assert result.exit_code == 3
    warnings = [each for each in result.stdout.splitlines() if each.startswith("::warning")]
    assert [each.split(",title")[0] for each in warnings] == [
        "::warning file=pyproject.toml,line=3",
        "::warning file=pyproject.toml,line=4",
    ]
    assert "“train_step”" in warnings[0]


def test_one_more_in_width_is_a_change_of_flops_that_one_run_each_tells(project):
    budgets(project, 'flops_change = "0 %"', 'step_change = "50 %"', "compilations_change = 0")
    here = next((project / ".scopelight").iterdir())
    wider = next((project / "wider" / ".scopelight").iterdir())
    again = project / ".scopelight" / "again"
    shutil.copytree(here, again)
    same, code = record(again, "--against", here)
    assert rows(same)["flops_change"]["value"] == 0
    # Of the wall clock one run each tells nothing.
    assert rows(same)["step_change"]["verdict"] == "cannot-tell"
    assert rows(same)["step_change"]["least"] is None
    assert code == 2
    more, code = record(wider, "--against", here)
    assert (rows(more)["flops_change"]["verdict"], code) == ("broken", 1)
    # Two products of width cubed, and less of what is squared.
    assert rows(more)["flops_change"]["value"] == pytest.approx((129 / 128) ** 3 - 1, rel=0.05)
    less, _ = record(here, "--against", wider)
    assert rows(less)["flops_change"]["verdict"] == "held"


def git(*arguments):
    identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    ended = subprocess.run(["git", *identity, *arguments], capture_output=True, text=True, check=True, timeout=60)
    return ended.stdout.strip()


def told_of(run, **fields):
    """A run that says other things of itself."""
    file = run / "run.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | fields))


def test_the_gate_against_a_revision_never_compares_a_run_with_itself(project):
    budgets(project, 'flops_change = "0 %"')
    shutil.rmtree(project / ".git")
    git("init", "--quiet")
    git("add", "train.py", "pyproject.toml")
    git("commit", "--quiet", "-m", "one")
    commit = git("rev-parse", "HEAD")
    here = next((project / ".scopelight").iterdir())
    told_of(here, git={"commit": commit, "dirty": False})
    result = check("--against", "HEAD")
    assert result.exit_code == NOT_MEASURED
    assert f"was made of HEAD ({commit[:8]}), with nothing changed since" in result.stderr
    # More was changed, and captured before it was committed.
    changed = project / ".scopelight" / "changed"
    shutil.copytree(next((project / "wider" / ".scopelight").iterdir()), changed)
    told_of(changed, git={"commit": commit, "dirty": True}, created="2999-01-01T00:00:00+00:00")
    result = check("--against", "HEAD")
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        "Budgets of pyproject.toml, held against .scopelight/changed",
        f"Changes are since .scopelight/{here.name} ({commit[:8]})",
    ]
    assert check("--against", "HEAD", "--format", "github").stdout.splitlines()[:2] == [
        "Budgets are held against .scopelight/changed.",
        f"Changes are since .scopelight/{here.name} ({commit[:8]}).",
    ]
    assert check(here, "--against", here).exit_code == NOT_MEASURED


def test_in_what_else_runs_differ_is_said(project):
    budgets(project, 'flops_change = "0 %"')
    here = next((project / ".scopelight").iterdir())
    other = project / ".scopelight" / "other"
    shutil.copytree(here, other)
    told_of(other, args=["--size", "7"])
    told, code = record(here, "--against", other)
    assert (rows(told)["flops_change"]["verdict"], code) == ("held", 0)
    assert "compared-unlike-arguments" in [each["code"] for each in told["findings"]]
    assert "--size 7" in check(here, "--against", other).stdout
    # What is of no change is compared with nothing.
    budgets(project, "compilations = 1")
    told, code = record(here, "--against", other)
    assert ([each["code"] for each in told["findings"]], code) == (["budgets-of-no-change"], 0)


def test_an_experiment_is_held_against_what_was_before_over_all_rounds(project):
    budgets(project, 'flops_change = "0 %"', "compilations = 1", "step_ms = 100000")
    rounds = {"before": project / ".scopelight", "after": project / "wider" / ".scopelight"}
    for side, runs in rounds.items():
        for number in (1, 2):
            shutil.copytree(next(runs.iterdir()), project / "e" / side / f"round-{number}")
    told, code = record("e")
    assert (told["run"], told["rounds"]) == (str(project / "e" / "after"), 2)
    assert (told["since"]["path"], told["since"]["rounds"]) == (str(project / "e" / "before"), 2)
    assert {name: each["verdict"] for name, each in rows(told).items()} == {
        "flops_change": "broken",
        "compilations": "held",
        "step_ms": "held",
    }
    assert code == 1
    # As a base it means what was before.
    told, _ = record(next((project / ".scopelight").iterdir()), "--against", "e")
    assert told["since"]["path"].endswith("e/before")
    assert rows(told)["flops_change"]["value"] == 0


def test_a_summary_is_written_for_a_job(project, monkeypatch):
    budgets(project, "compilations = 1")
    summary = project / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    check()
    assert summary.read_text() == "before\n"
    check("--format", "github")
    assert "## Budgets: 1 held" in summary.read_text()
    check("--summary", project / "mine.md")
    assert (project / "mine.md").read_text().startswith("## Budgets: 1 held")


def test_the_file_of_budgets_may_be_named(project, monkeypatch):
    (project / "pyproject.toml").unlink(missing_ok=True)
    assert check().exit_code == 3
    other = project / "limits" / "other.toml"
    other.parent.mkdir()
    other.write_text("[tool.scopelight.budgets]\ncompilations = 1\n")
    assert check("--config", other).exit_code == 0
    other.write_text("[tool.other]\n")
    result = check("--config", "limits/other.toml")
    assert result.exit_code == 3
    assert "no table [tool.scopelight.budgets] in limits/other.toml." in result.stdout
    run = next((project / ".scopelight").iterdir())
    monkeypatch.chdir(project.parent)
    budgets(project, "compilations = 0")
    # That above the run's script, wherever one is.
    assert check(run).exit_code == 1


def test_sarif_names_the_run_of_today(project):
    budgets(project, "compilations = 0")
    result = check("--format", "sarif")
    assert result.exit_code == 1
    (run,) = json.loads(result.stdout)["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["compilations"]


def test_mistakes_of_the_command_line_are_no_verdict(project):
    budgets(project, "compilations = 1")
    for wrong in (["--formt", "text"], ["--format", "xml"], ["absent"], ["--against", "no-such-revision"]):
        assert check(*wrong).exit_code == NOT_MEASURED, wrong
    shutil.rmtree(project / ".scopelight")
    assert check().exit_code == NOT_MEASURED
    assert "No run was captured" in check().stderr


def test_exit_codes_are_as_they_are_documented():
    assert EXIT_CODES == {"held": 0, "broken": 1, "cannot-tell": 2, "not-measured": 3}
    assert "1 where a budget is broken" in " ".join(check("--help").output.split())
