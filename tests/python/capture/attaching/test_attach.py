"""The agent put into jobs that nobody prepared: on Python 3.14 it comes in, and elsewhere it is said why not."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import scopelight
from made.until import until
from scopelight.capture.attaching import attach_source
from scopelight.capture.attaching.attach_source import AttachSource, AttachSpec
from scopelight.capture.attaching.injection import find_target
from scopelight.capture.failures import CaptureFailure, Exit
from scopelight.capture.monitoring.run_source import WatchSpec
from scopelight.capture.servers.local_process import local_process
from scopelight.model.run.information import WindowOptions

NEWEST = os.environ.get("SCOPELIGHT_TEST_PYTHON_NEWEST")
needs_newest = pytest.mark.skipif(NEWEST is None, reason="make test-python-newest has a Python 3.14 with jax")
JOB = """
import os, time
import jax, jax.numpy as jnp

@jax.jit
def train_step(x):
    return jnp.tanh(x @ x) / 3

x = train_step(jnp.ones((100, 100)))
threads = len(os.listdir("/proc/self/task"))
print("ready", flush=True)
while not os.path.exists("enough"):
    x = train_step(x).block_until_ready()
    time.sleep(0.002)
print("steps end", flush=True)
"""
SPEC = WindowOptions(seconds=0.3)


@pytest.fixture
def start(tmp_path):
    """Start a job, with a Python; returned once it has run its step."""
    started = []

    def start_it(python, script=JOB, **environment):
        (tmp_path / "train.py").write_text(textwrap.dedent(script))
        process = subprocess.Popen(
            [python, "train.py"],
            cwd=tmp_path,
            env={**os.environ, "JAX_PLATFORMS": "cpu", **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n", process.communicate()
        return process

    yield start_it
    for each in started:
        each.kill()
        each.communicate()


@needs_newest
def test_an_unprepared_job_is_captured_again_and_again_and_goes_on_untouched(start, tmp_path):
    process = start(NEWEST)
    for number in (1, 2):
        captured = AttachSource(process.pid).capture(AttachSpec(SPEC, tmp_path / f"run{number}"))
        assert captured.exit_code is None
        information = captured.run.information
        assert (information.script, information.window.kind) == ("train.py", "seconds")
        assert information.versions["python"].startswith("3.14")
        # A program that was compiled before the agent came has its lines.
        lines = scopelight.open(tmp_path / f"run{number}").lines()
        assert {each.line for each in lines.lines if each.file.endswith("train.py")} >= {7}
        assert (captured.run.sources / str(tmp_path / "train.py").lstrip("/")).read_text() == JOB
    (tmp_path / "enough").touch()
    assert process.communicate(timeout=60) == ("steps end\n", "")
    assert process.returncode == 0


@needs_newest
def test_a_stopped_job_lets_nobody_in_and_it_is_said(start, tmp_path, monkeypatch):
    monkeypatch.setattr(attach_source, "ANSWER_SECONDS", 1.0)
    process = start(NEWEST)
    process.send_signal(signal.SIGSTOP)
    with pytest.raises(CaptureFailure, match="it is stopped: continue it"):
        AttachSource(process.pid).capture(AttachSpec(SPEC))
    assert list(tmp_path.glob(".scopelight/*")) == []


@needs_newest
def test_a_job_that_keeps_others_out_is_left_alone(start):
    process = start(NEWEST, PYTHON_DISABLE_REMOTE_DEBUG="1")
    with pytest.raises(CaptureFailure, match="PYTHON_DISABLE_REMOTE_DEBUG"):
        AttachSource(process.pid).capture(AttachSpec(SPEC))


@needs_newest
def test_what_is_waited_for_can_be_cancelled(start):
    process = start(NEWEST, JOB.replace("time.sleep(0.002)", "time.sleep(30)"))
    said = []
    source = AttachSource(process.pid, said.append)
    threading.Timer(2.5, source.cancel).start()
    began = time.monotonic()
    with pytest.raises(CaptureFailure, match="long call"):
        source.capture(AttachSpec(SPEC))
    assert time.monotonic() - began < 20
    assert said


def test_an_older_python_is_told_what_to_do_instead(start):
    if sys.version_info >= (3, 14):
        pytest.skip("this one lets the agent in")
    process = start(sys.executable)
    with pytest.raises(CaptureFailure, match=r"only 3\.14 and later .* `scopelight run`") as failure:
        find_target(process.pid)
    assert failure.value.exit_code == Exit.REFUSED


def test_what_runs_no_jax_is_refused():
    with subprocess.Popen(["sleep", "60"]) as other:
        # A process that has just become another program has no command line for a moment.
        until(lambda: local_process(other.pid))
        with pytest.raises(CaptureFailure, match="runs no Python"):
            find_target(other.pid)
        other.kill()
    until(lambda: other.poll() is not None)
    with pytest.raises(CaptureFailure, match="no process"):
        find_target(other.pid)


@needs_newest
def test_an_unprepared_job_is_watched_and_nothing_of_it_is_kept(start, tmp_path):
    process = start(NEWEST)
    readings = list(AttachSource(process.pid).monitor(WatchSpec(every_seconds=0.5, count=4)))
    assert [each.device_type for each in readings] == ["cpu"] * 4
    assert readings[-1].step_basis == "counted"
    # Its pause alone takes 2 ms.
    assert 2e9 < readings[-1].step_avg_ps < 50e9
    assert 0 < readings[-1].utilisation_ratio < 1
    assert not (tmp_path / ".scopelight").exists()
    (tmp_path / "enough").touch()
    assert process.communicate(timeout=60) == ("steps end\n", "")
