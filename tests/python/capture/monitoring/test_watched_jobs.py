"""Jobs watched by our agent in them, against what their scripts say of themselves."""

import json
import os
import subprocess
import sys
import textwrap
import threading

import pytest

from made.until import until
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.monitoring.run_source import RunMonitor, WatchSpec

JOB = """
import os, time
import numpy as np
import jax, jax.numpy as jnp

@jax.jit
def train_step(x, batch):
    # Long beside what it takes to launch it.
    for _ in range(8):
        x = jnp.tanh((x + batch) @ x) / 3
    return x

def batches():
    while True:
        # A known share of each step, however fast the machine is at it.
        time.sleep(worked_last * FED)
        yield batch

FED, PAUSED = {fed}, {paused}
batch = np.ones((400, 400), np.float32)
x = train_step(jnp.ones((400, 400)), batch).block_until_ready()
worked_last = 0.01
data = batches()
print("ready", flush=True)
began, steps, waited, worked = time.perf_counter(), 0, 0.0, 0.0
while not os.path.exists("enough"):
    {before}
    start = time.perf_counter()
    given = next(data)
    fed = time.perf_counter()
    x = train_step(x, given).block_until_ready()
    worked_last = time.perf_counter() - fed
    time.sleep(worked_last * PAUSED)
    steps, waited, worked = steps + 1, waited + fed - start, worked + worked_last
took = time.perf_counter() - began
print(took / steps, 1 - worked / took, waited / took, flush=True)
"""


class Job:
    """A script that a variable lets the agent into, which captures nothing by itself."""

    def __init__(self, folder):
        self.folder = folder
        self.process = None

    def start(self, *, fed=0.0, paused=0.0, before="", environment=None, **options):
        (self.folder / "train.py").write_text(JOB.format(fed=fed, paused=paused, before=before))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCOPELIGHT_", "PYTHONPATH"))}
        options = json.dumps({"start": False, "out": str(self.folder / "run"), **options})
        self.process = subprocess.Popen(
            [sys.executable, "train.py"],
            cwd=self.folder,
            env={**kept, "JAX_PLATFORMS": "cpu", "SCOPELIGHT_OPTIONS": options, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout.readline() == "ready\n", self.process.communicate()
        until(lambda: self.information.get("backend") == "cpu", seconds=60)
        return self

    @property
    def run(self):
        return self.folder / "run"

    @property
    def information(self):
        file = self.run / "run.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def monitor(self, *arguments):
        finished = subprocess.run(
            [sys.executable, "-m", "scopelight.cli.main", "monitor", str(self.run), "--json", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert finished.returncode == 0, finished.stderr
        return [json.loads(line) for line in finished.stdout.splitlines()], finished.stderr

    def end(self):
        """Let it end: the seconds of a step, and the shares of idle time and of waiting for input."""
        (self.folder / "enough").touch()
        said, errors = self.process.communicate(timeout=60)
        assert errors == ""
        return [float(each) for each in said.split()[-3:]]


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path)
    yield job
    if job.process is not None:
        job.process.kill()
        job.process.communicate()


def mean(readings, name):
    known = [each[name] for each in readings if each[name] is not None]
    return sum(known) / len(known)


@pytest.mark.parametrize(("fed", "paused"), [(1.5, 0.0), (0.0, 1.0)])
def test_steps_idle_time_and_waiting_for_input_are_those_of_the_script(job, fed, paused):
    job.start(fed=fed, paused=paused)
    readings, said = job.monitor("--level", "2", "--seconds", "0.6", "--count", "6")
    step_seconds, idle_ratio, input_ratio = job.end()
    assert len(readings) == 6
    assert readings[0]["step_basis"] in ("traced", "counted")
    assert {each["step_basis"] for each in readings[2:]} == {"counted"}
    assert mean(readings[1:], "step_avg_ps") / 1e12 == pytest.approx(step_seconds, rel=0.2)
    assert mean(readings, "idle_ratio") == pytest.approx(idle_ratio, abs=0.05)
    assert mean(readings, "utilisation_ratio") == pytest.approx(1 - idle_ratio, abs=0.05)
    assert mean(readings, "infeed_avg_ratio") == pytest.approx(input_ratio, abs=0.05)
    assert {(each["device_type"], each["cores"]) for each in readings} == {("cpu", 1)}
    # On a busy machine too few steps are whole in one of them now and then.
    bases = [each["infeed_basis"] for each in readings]
    assert bases.count("host-input") >= 4 and set(bases) <= {"host-input", None}
    assert "each reading traces the job for 20" in said
    # The conductor leaves nothing but the readings.
    until(lambda: not (job.run / ".glances").exists(), seconds=30)
    assert len((job.run / "monitor.jsonl").read_text().splitlines()) == 6
    assert not (job.run / "plugins").exists()
    until(lambda: job.information["has_ended"], seconds=60)
    with pytest.raises(CaptureFailure, match="is captured no more"):
        next(RunMonitor(job.run).readings(WatchSpec()))


def test_the_scripts_own_trace_wins_and_readings_go_on_afterwards(job):
    traces = """
    if steps == 60:
        jax.profiler.start_trace("own")
    if os.path.exists("stop") and not os.path.exists("stopped"):
        jax.profiler.stop_trace()
        open("stopped", "w").close()
    """
    job.start(paused=0.2, before=textwrap.indent(textwrap.dedent(traces), "    ").strip())
    until(lambda: codes(job.monitor("--count", "1")[0]) == ["monitor-while-script-traces"], seconds=30)
    (reading,) = job.monitor("--level", "2", "--count", "1")[0]
    assert reading["utilisation_ratio"] is None
    (job.folder / "stop").touch()
    until(lambda: job.monitor("--count", "1")[0][0]["utilisation_ratio"] is not None, seconds=30)
    job.end()
    assert list(job.folder.glob("own/plugins/profile/*/*.xplane.pb"))


def test_a_window_is_captured_while_someone_watches_and_is_whole(job):
    job.start(paused=0.5)
    watching = subprocess.Popen(
        [sys.executable, "-m", "scopelight.cli.main", "monitor", str(job.run), "--seconds", "0.5", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert json.loads(watching.stdout.readline())["utilisation_ratio"] is not None
    (job.run / "capture-now").touch()
    until(lambda: len(job.information["windows"]) == 1, seconds=60)
    # It goes on, and ends with the job.
    until(lambda: json.loads(watching.stdout.readline())["utilisation_ratio"] is not None, seconds=30)
    job.end()
    watching.communicate(timeout=60)
    assert watching.returncode == 0
    (window,) = job.information["windows"]
    assert window["complete_steps"] >= 1


def test_of_several_processes_it_says_that_it_is_one(job, tmp_path):
    launched = {"WORLD_SIZE": "2", "MASTER_ADDR": "localhost"}
    other = Job(tmp_path)
    # Both wait for each other before anything is told.
    thread = threading.Thread(target=lambda: other.start(environment={**launched, "RANK": "1"}))
    thread.start()
    try:
        job.start(environment={**launched, "RANK": "0"})
        thread.join(60)
        (reading,) = job.monitor("--level", "2", "--count", "1")[0]
        assert reading["utilisation_ratio"] is not None
        assert [each["values"] for each in reading["findings"] if each["code"] == "monitor-of-one-process"] == [
            {"processes": 2}
        ]
    finally:
        job.end()
        other.process.communicate(timeout=60)


def codes(readings):
    return [each["code"] for reading in readings for each in reading["findings"]]
