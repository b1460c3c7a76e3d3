"""What a capture tells of its progress in run.json, and how it is read back."""

import json
import subprocess
import sys
import time
from pathlib import Path

import attrs
import pytest

from made.until import until
from scopelight.capture.actions import Close, Observe, Trace
from scopelight.capture.conducting.progress import Progress
from scopelight.capture.observed import Observation, Traced
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.capture.window import WindowPlan
from scopelight.formats.errors import FormatError
from scopelight.model.run.information import CaptureProgress, RunInformation, WindowOptions
from scopelight.model.run.run_file import read_progress

TRACED = Traced(1.0, 0.0, 1.0, 0.0, 0.0, 1000, 0, file=Path("1"))


@pytest.fixture
def run(tmp_path):
    return RunDirectory.create(tmp_path / "run", tmp_path, "train", RunInformation(state="running"))


def test_a_script_that_has_not_imported_jax_is_waited_for(tmp_path):
    script, path = tmp_path / "reads_first.py", tmp_path / "run"
    script.write_text("import pathlib, time\nwhile not pathlib.Path('read').exists():\n    time.sleep(0.01)\n")
    command = [sys.executable, "-m", "scopelight.cli.main", "run", "--out", str(path), script.name]
    capture = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until(lambda: (path / "run.json").exists() and read_progress(path).since_ns is not None)
        assert (read_progress(path).stage, read_progress(path).has_jax) == ("starting", False)
    finally:
        (tmp_path / "read").touch()
        capture.wait(60)


def test_the_stages_of_a_window_of_steps(run):
    plan = WindowPlan(WindowOptions(steps=5))
    plan.period_seconds = 0.125
    progress = Progress(run)
    assert read_progress(run.path).stage == "starting"
    progress.started()
    assert read_progress(run.path).stage == "starting"
    progress.backend_appeared(plan)
    progress.compiled()
    progress.lowered("train_step")
    assert read_progress(run.path).compiling == "train_step"
    progress.compiled()
    assert read_progress(run.path).compiling is None
    assert (read_progress(run.path).stage, read_progress(run.path).programs) == ("compiling", 2)
    progress.acted(Observe(TRACED), plan)
    assert read_progress(run.path).stage == "measuring"
    progress.observed(Observation(0.125, seen=2), plan)
    assert (read_progress(run.path).seen, read_progress(run.path).period_seconds) == (2, 0.125)
    before = time.time_ns()
    progress.acted(Trace(0.25, 0.9, is_window=True), plan)
    seen = read_progress(run.path)
    assert attrs.evolve(seen, started_ns=None, pid=None) == CaptureProgress(
        "capturing", programs=2, has_jax=True, steps=5, period_seconds=0.125, seconds=0.9
    )
    assert before + 250_000_000 <= seen.started_ns <= time.time_ns() + 250_000_000
    # The window itself is looked at when it has closed: that is no new search for the step.
    progress.acted(Observe(TRACED), plan)
    assert read_progress(run.path).stage == "capturing"
    progress.acted(Close(TRACED, "steps"), plan)
    assert read_progress(run.path).stage == "capturing", "the profile is not at its place yet"
    run.update(state="captured")
    assert read_progress(run.path).stage == "captured"


def test_the_whole_script_is_its_window(run):
    progress = Progress(run)
    progress.backend_appeared(WindowPlan(WindowOptions(whole=True)))
    seen = read_progress(run.path)
    assert (seen.stage, seen.steps, seen.seconds) == ("capturing", None, None)


def test_the_state_of_the_run_has_the_last_word(run):
    Progress(run).started()
    run.update(state="failed", failure="The script ended without importing jax.")
    seen = read_progress(run.path)
    assert (seen.stage, seen.failure) == ("failed", "The script ended without importing jax.")


def test_a_run_without_progress_or_with_nonsense_is_starting(tmp_path, run):
    assert read_progress(tmp_path / "nowhere") == CaptureProgress("starting")
    for nonsense in (None, 3, [], {"stage": []}, {"stage": "dancing", "programs": "many", "steps": True}):
        (run.path / "run.json").write_text(json.dumps({"format_version": 1, "progress": nonsense}))
        assert read_progress(run.path) == CaptureProgress("starting")
    (run.path / "run.json").write_text(json.dumps([1]))
    with pytest.raises(FormatError):
        read_progress(run.path)
