"""Whole experiments: real captures of a small script in two revisions."""

import os
import sys
import threading

import pytest

from made.until import until
from scopelight.capture.against.experiment_source import ExperimentSource, ExperimentSpec, NeededRounds
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.launching.launch import Script
from scopelight.capture.launching.launch_source import LaunchSpec
from scopelight.model.run.experiment import find_experiment, round_folder
from scopelight.model.run.information import WindowOptions
from scopelight.model.run.run_file import find_run_information

ENDLESS = """\
import jax, jax.numpy as jnp
import part
print("began")
x = jnp.ones((200, 200))
for step in range(1_000_000):
    with jax.profiler.StepTraceAnnotation("step", step_num=step):
        part.work(x).block_until_ready()
"""
PART = """\
import jax
work = jax.jit(lambda x: x @ x)
"""
LAUNCH = LaunchSpec(WindowOptions(steps=3), watches_memory=False)


def source_of(project, asked, *, cwd=None, name="train.py", is_module=False, **hears):
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    environment.pop("PYTHONPATH", None)
    script = Script(name, is_module=is_module)
    return ExperimentSource(script, asked, sys.executable, cwd or project.top, environment, **hears)


def nothing_is_left_of(project):
    assert len(project.git("worktree", "list").splitlines()) == 1


@pytest.mark.timeout(180)
def test_rounds_of_both_sides_are_runs_of_their_own_code(project):
    commit = project.commit("First", **{"sub/train.py": ENDLESS, "sub/part.py": PART, ".gitignore": ".scopelight\n"})
    project.write("sub/part.py", PART.replace("x @ x", "x @ x @ x"))
    said, told = [], []
    source = source_of(project, "HEAD", cwd=project.top / "sub", say=said.append, tell=told.extend)
    before, after = source.capture(ExperimentSpec(LAUNCH, rounds=2, seed=1))
    assert [each.name for each in (*before, *after)] == ["round-1", "round-2"] * 2
    experiment = find_experiment(source.path)
    assert experiment.state == "finished"
    assert (experiment.before.commit, experiment.before.subject, experiment.before.dirty) == (commit, "First", False)
    assert (experiment.after.commit, experiment.after.dirty) == (commit, True)
    assert [each.number for each in experiment.rounds] == [1, 2]
    assert [sorted(each.order) for each in experiment.rounds] == [["after", "before"]] * 2
    assert not any(each.failures for each in experiment.rounds)
    assert [each.code for each in told] == ["against-uncommitted"]
    for run in (*before, *after):
        information = find_run_information(run)
        # More where they come in bursts.
        assert information.window.complete_steps >= 3
        # It was ended for us, which is no fault of its own.
        assert (information.exit_code, information.error, information.failure) == (None, None, None)
        assert (run / "output.txt").read_text() == "began\n"
        text = next(run.glob("sources/**/*part.py")).read_text()
        assert ("x @ x @ x" in text) == (run in after)
    assert source.path.parent == project.top / "sub" / ".scopelight"
    assert said[0] == f"before is {commit[:8]} (First); after is {commit[:8]} (First), with 1 file changed since."
    assert sum("round 2 of 2" in each for each in said) == 2
    nothing_is_left_of(project)


@pytest.mark.timeout(180)
def test_a_side_that_fails_leaves_what_the_other_has_and_says_why(project):
    project.commit("First", **{"train.py": "raise SystemExit('no data here')\n"})
    project.write("train.py", ENDLESS.replace("import part\n", PART).replace("part.work", "work"))
    source = source_of(project, "HEAD")
    with pytest.raises(CaptureFailure, match=r"before: .* It said last: no data here\. What there is: ") as raised:
        source.capture(ExperimentSpec(LAUNCH, rounds=4))
    assert raised.value.exit_code == Exit.NOT_COMPARED
    experiment = find_experiment(source.path)
    assert experiment.state == "failed"
    # It would go on like that.
    assert len(experiment.rounds) == 2
    assert {each.side for of_round in experiment.rounds for each in of_round.failures} == {"before"}
    assert find_run_information(round_folder(source.path, "after", 1)).state == "captured"
    assert find_run_information(round_folder(source.path, "before", 1)).state == "failed"
    nothing_is_left_of(project)


@pytest.mark.timeout(180)
def test_whole_rounds_stay_when_it_is_interrupted(project):
    project.commit("First", **{"train.py": ENDLESS, "part.py": PART})
    source = source_of(project, "HEAD")
    results = []
    thread = threading.Thread(target=lambda: results.append(source.capture(ExperimentSpec(LAUNCH, rounds=50))))
    thread.start()
    until(lambda: source.path is not None and len(getattr(find_experiment(source.path), "rounds", ())) >= 1)
    source.cancel(2)
    thread.join()
    (before, after), experiment = results[0], find_experiment(source.path)
    assert experiment.state == "interrupted"
    whole = [each.number for each in experiment.rounds if not each.failures]
    assert len(before) == len(after) == len(whole) >= 1
    nothing_is_left_of(project)


@pytest.mark.timeout(180)
def test_an_edit_between_rounds_ends_them_and_those_before_count(project):
    """Two texts would be one side."""
    project.commit("First", **{"train.py": ENDLESS, "part.py": PART, "settings.toml": "", "other.md": ""})

    def edit(said):
        if said.startswith("round 2 of 5"):
            project.write("part.py", PART.replace("x @ x", "x @ x @ x"))
            project.write("settings.toml", "width = 3")

    told = []
    source = source_of(project, "HEAD", say=edit, tell=told.extend)
    before, after = source.capture(ExperimentSpec(LAUNCH, rounds=5, seed=1))
    assert [each.name for each in (*before, *after)] == ["round-1"] * 2
    assert source.was_edited
    experiment = find_experiment(source.path)
    assert experiment.state == "interrupted"
    assert len(experiment.rounds) == 2
    assert [each.side for each in experiment.rounds[1].failures] == ["after"]
    assert {each.code: dict(each.values) for each in told} == {
        "against-edited-meanwhile": {"names": ("part.py",), "round": 2},
        "against-edited-beside": {"names": ("settings.toml",)},
    }
    assert tuple(told) == experiment.findings
    # What was captured of the edited file is kept.
    assert find_run_information(round_folder(source.path, "after", 2)).state == "captured"
    nothing_is_left_of(project)


@pytest.mark.timeout(180)
def test_an_exception_after_the_window_is_said_once_of_a_side_and_rounds_count(project):
    failing = ENDLESS.replace("1_000_000", "8") + "raise ValueError('no more data')\n"
    project.commit("First", **{"train.py": ENDLESS, "part.py": PART})
    project.write("train.py", failing)
    told = []
    source = source_of(project, "HEAD", tell=told.extend)
    before, after = source.capture(ExperimentSpec(LAUNCH, rounds=2))
    assert len(before) == len(after) == 2
    assert [dict(each.values) for each in told if each.code == "against-ended-in-exception"] == [
        {"side": "after", "error": "ValueError: no more data"}
    ]
    assert [str(find_run_information(each).error) for each in after] == ["ValueError: no more data"] * 2
    assert find_experiment(source.path).state == "finished"


@pytest.mark.timeout(180)
def test_nothing_stays_when_it_is_interrupted_before_anything_is_captured(project):
    project.commit("First", **{"train.py": ENDLESS.replace("import part\n", "import time; time.sleep(100)\n")})
    source = source_of(project, "HEAD")
    results = []
    thread = threading.Thread(target=lambda: results.append(source.capture(ExperimentSpec(LAUNCH, rounds=3))))
    thread.start()
    until(lambda: source.path is not None and list(source.path.glob("*/round-1/run.json")))
    made = source.path
    source.cancel(2)
    thread.join()
    assert results == [((), ())]
    assert source.path is None
    assert not made.exists()
    nothing_is_left_of(project)


@pytest.mark.timeout(180)
def test_with_a_size_to_detect_the_number_of_rounds_follows_from_a_pilot(project):
    project.commit("First", **{"train.py": ENDLESS, "part.py": PART})
    asked = []

    def needed(sides, ratio, most):
        asked.append((len(sides[0]), len(sides[1]), ratio, most))
        return NeededRounds("CPU time of a step", 4)

    said = []
    source = source_of(project, "HEAD", say=said.append)
    before, _ = source.capture(ExperimentSpec(LAUNCH, detect_ratio=0.05, needed=needed))
    assert asked == [(3, 3, 0.05, 30)]
    assert any(each.startswith("4 rounds show a change of 5 % in the CPU time of a step, by how") for each in said)
    assert len(before) == 4
    assert find_experiment(source.path).rounds_planned == 4


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("new.py", r"new.py does not exist in \w{8} \(First\): name a revision that has it."),
        ("gone.py", "There is no script gone.py"),
        ("/etc/hosts", "both sides would run the same script"),
    ],
)
def test_a_script_that_the_revision_has_not_is_refused_in_one_sentence(project, name, sentence):
    project.commit("First", **{"train.py": ENDLESS})
    project.write("new.py", ENDLESS)
    with pytest.raises(CaptureFailure, match=sentence):
        source_of(project, "HEAD", name=name).capture(ExperimentSpec(LAUNCH))
    assert not (project.top / ".scopelight").exists()


@pytest.mark.parametrize("name", ["pkg.new", "pkg.whole"])
def test_a_module_that_the_revision_has_not_is_refused_before_anything_is_run(project, name):
    project.commit("First", **{"pkg/__init__.py": "", "pkg/old.py": ENDLESS})
    project.write("pkg/new.py", ENDLESS)
    project.write("pkg/whole/__main__.py", ENDLESS)
    with pytest.raises(CaptureFailure, match=rf"{name} does not exist in \w{{8}} \(First\): name a revision") as raised:
        source_of(project, "HEAD", name=name, is_module=True).capture(ExperimentSpec(LAUNCH))
    assert raised.value.exit_code == Exit.REVISION_MISSING
    assert not (project.top / ".scopelight").exists()


def test_a_module_that_is_nowhere_is_not_what_the_revision_lacks(project):
    project.commit("First", **{"pkg/old.py": ENDLESS})
    with pytest.raises(CaptureFailure, match=r"finds no module pkg\.gone") as raised:
        source_of(project, "HEAD", name="pkg.gone", is_module=True).capture(ExperimentSpec(LAUNCH))
    assert raised.value.exit_code == Exit.SCRIPT_MISSING
