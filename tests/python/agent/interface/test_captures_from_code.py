"""Real captures that a script's code or a variable asks for, held against what the scripts did."""

import json
import os
import subprocess
import sys
import textwrap

import pytest

import scopelight
from made.until import until

JOB = """
import jax, jax.numpy as jnp

@jax.jit
def train_step(w, x):
    return jnp.tanh(w @ x)

w, x = jnp.ones((200, 200)), jnp.ones((200, 200)) * 0.01

def train(steps):
    global w
    for _ in range(steps):
        w = train_step(w, x)
"""


@pytest.fixture
def environment():
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("SCOPELIGHT_", "MS_", "PYTHONPATH"))
    }
    return {**kept, "JAX_PLATFORMS": "cpu"}


@pytest.fixture
def start(tmp_path, environment):
    """Run a script to its end: what it printed. Its run is in ``run``."""

    def start_it(text, *before, **variables):
        (tmp_path / "train.py").write_text(textwrap.dedent(text))
        command = [sys.executable, *before, "train.py"]
        environ = {**environment, **variables}
        done = subprocess.run(
            command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done

    return start_it


def test_where_the_script_traces_itself_it_is_said_that_nothing_else_is_captured(start, tmp_path):
    done = start(
        JOB
        + """
import scopelight
jax.profiler.start_trace("own")
with scopelight.capture(out="run"):
    train(3)
jax.profiler.stop_trace()
"""
    )
    assert "the script traces itself" in done.stderr
    assert not (tmp_path / "run").exists()
    assert list(tmp_path.glob("own/plugins/profile/*/*.xplane.pb"))


def finished(run):
    """The run's description, once its conductor has ended: it outlives the script for a moment."""

    def described():
        try:
            return json.loads((run / "run.json").read_text())
        except (OSError, ValueError):
            return {"memory": None}

    # What was seen of memory is written down at the end, and traces that became no profile are removed last.
    until(lambda: described()["memory"] is not None and not (run / ".probes").exists())
    return described()


def steps_of(run, window):
    """By file of a window how often the step ran in it."""
    files = sorted((run / window["session"]).glob("*.xplane.pb"))
    return {
        file.name.partition(".")[0]: sum(
            row.runs for row in scopelight.open(file).programs().rows if row.function == "train_step"
        )
        for file in files
    }


def test_code_captures_what_is_between_and_nothing_else(start, tmp_path):
    script = f"""
    import scopelight_agent as scopelight

    # Before jax is there.
    scopelight.start(out="run")
    {textwrap.indent(JOB, "    ").strip()}

    train(3)
    scopelight.stop()
    train(4)
    try:
        with scopelight.capture():
            train(5)
            raise ValueError("passes")
    except ValueError as error:
        print(error)

    @scopelight.capture(skip=1)
    def epoch(steps):
        train(steps)

    epoch(1), epoch(6), epoch(1)
    scopelight.start()
    train(8)
    """
    done = start(script)
    assert (done.stdout, done.stderr) == ("passes\n", "")
    run = tmp_path / "run"
    windows = finished(run)["windows"]
    assert [window["kind"] for window in windows] == ["code"] * 4
    assert [sum(steps_of(run, window).values()) for window in windows] == [3, 5, 6, 8]


def test_code_captures_into_the_run_of_a_script_that_was_launched(start, tmp_path):
    script = f"""
    import scopelight
    {textwrap.indent(JOB, "    ").strip()}

    train(3)
    for steps in (4, 6):
        with scopelight.capture():
            train(steps)
        train(2)
    """
    start(script, "-m", "scopelight.cli.main", "run", "--out", "run", "--no-calibration")
    run = tmp_path / "run"
    windows = json.loads((run / "run.json").read_text())["windows"]
    assert [sum(steps_of(run, window).values()) for window in windows if window["kind"] == "code"] == [4, 6]
    assert not (tmp_path / ".scopelight").exists()


LAUNCHER = """
import os, subprocess, sys
ranks = [{"RANK": str(each), "LOCAL_RANK": str(each), "WORLD_SIZE": "4", "LOCAL_WORLD_SIZE": "4"} for each in range(4)]
jobs = [subprocess.Popen([sys.executable, "job.py"], env={**os.environ, **each}) for each in ranks]
sys.exit(max(each.wait() for each in jobs))
"""
TOGETHER = """
import os, pathlib, time
# As in a job whose processes work on one thing, none goes on alone.
pathlib.Path("here." + os.environ["RANK"]).touch()
end = time.monotonic() + 60
while len(list(pathlib.Path(".").glob("here.*"))) < 4:
    assert time.monotonic() < end, "one of the processes did not come"
    time.sleep(0.01)
"""


def test_a_variable_captures_all_processes_of_a_launch_into_one_run(start, tmp_path):
    (tmp_path / "job.py").write_text(f"{JOB}\ntrain(1)\n{TOGETHER}\ntrain(12)\nw.block_until_ready()\n")
    options = {"out": "run", "whole": True, "host": False, "aicore_metrics": 1}
    done = start(LAUNCHER, SCOPELIGHT_OPTIONS=json.dumps(options))
    # Once, not by each of them.
    assert done.stderr.count("aicore_metrics has no effect") == 1
    run = tmp_path / "run"
    told = finished(run)
    assert [each["code"] for each in told["findings"] if each["code"] == "process-not-captured"] == []
    captured = steps_of(run, told["windows"][-1])
    assert sorted(name.rpartition("_")[2] for name in captured) == ["0", "1", "2", "3"]
    assert set(captured.values()) == {13}
