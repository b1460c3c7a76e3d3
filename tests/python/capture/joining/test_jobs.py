"""Jobs that a variable has captured: their conductor, their processes, and what they are spared."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import psutil
import pytest

from made.until import until
from scopelight.analysis.steps.steps import find_steps
from scopelight.capture.failures import CaptureFailure
from scopelight.capture.joining.further_window import capture_further
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.run_file import find_run_information

JOB = """
import os, pathlib, time
import jax, jax.numpy as jnp

@jax.jit
def train_step(x):
    return jnp.tanh(x @ x) / 3

x = train_step(jnp.ones((100, 100)))
print("ready", os.getpid(), flush=True)
while not pathlib.Path("enough").exists():
    x = train_step(x).block_until_ready()
    time.sleep(0.002)
"""


class Job:
    """A script in a folder of its own, which is captured as its environment says and ends with ``enough``."""

    def __init__(self, folder):
        self.folder = folder
        self.started = []

    def start(self, options, script=JOB, **environment):
        (self.folder / "train.py").write_text(textwrap.dedent(script))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("SCOPELIGHT_", "PYTHONPATH"))}
        # What tells a launch from the one of the test before, which may be gone for less than a second.
        launch = {"TORCHELASTIC_RUN_ID": str(self.folder)} if "RANK" in environment else {}
        process = subprocess.Popen(
            [sys.executable, "train.py"],
            cwd=self.folder,
            env={**kept, "JAX_PLATFORMS": "cpu", "SCOPELIGHT_OPTIONS": json.dumps(options), **launch, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def end(self):
        """Let all end: what they said."""
        (self.folder / "enough").touch()
        return [process.communicate(timeout=120) for process in self.started]

    @property
    def runs(self):
        return sorted((self.folder / ".scopelight").glob("*"))

    @property
    def information(self):
        (run,) = self.runs
        file = run / "run.json"
        return json.loads(file.read_text()) if file.exists() else {"state": None, "windows": [], "has_ended": False}

    def until_captured(self, windows=1):
        until(lambda: len(self.runs) == 1 and len(self.information["windows"]) >= windows, seconds=90)

    def until_ended(self):
        until(lambda: self.information["has_ended"] and not (self.runs[0] / ".probes").exists(), seconds=60)


@pytest.fixture
def job(tmp_path):
    job = Job(tmp_path)
    yield job
    for process in job.started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def conductors(run):
    """The processes that fill a run."""
    return [
        each
        for each in psutil.process_iter(["cmdline"])
        if "scopelight.capture.joining" in (each.info["cmdline"] or ())
        and str(run) in (each.info["cmdline"] or ("",))[-1]
    ]


def test_the_conductor_is_none_of_the_jobs_and_ends_with_it(job):
    process = job.start({}, JOB + "\ntry:\n    os.wait()\nexcept ChildProcessError:\n    print('no child')\n")
    job.until_captured()
    (conductor,) = conductors(job.runs[0])
    # What a terminal sends to the job's group does not reach it.
    assert os.getpgid(conductor.pid) != os.getpgid(process.pid)
    assert not {"SCOPELIGHT_OPTIONS", "SCOPELIGHT_JOB"} & set(conductor.environ())
    ((stdout, stderr),) = job.end()
    assert "no child" in stdout
    assert stderr == ""
    job.until_ended()
    until(lambda: not conductors(job.runs[0]))
    assert job.information["window"]["complete_steps"] == 5
    assert not (job.runs[0] / "conductor.log").exists()


@pytest.mark.parametrize("is_first", [False, True])
def test_of_a_process_that_was_killed_the_others_are_kept_and_it_is_named(job, is_first):
    # Whoever comes first decides for all.
    ranks = [2, 0, 1] if is_first else [0, 1, 2]
    processes = {}
    for each in ranks:
        processes[each] = job.start({"steps": 400}, RANK=str(each), WORLD_SIZE="3", MASTER_ADDR="localhost")
        until(lambda: len(job.runs) == 1 and (job.runs[0] / "run.json").exists(), seconds=60)
    for each in processes.values():
        each.stdout.readline()
    until(lambda: (job.information.get("progress") or {}).get("stage") == "capturing", seconds=90)
    processes[2].kill()
    job.until_captured()
    information = job.information
    files = (job.runs[0] / information["window"]["session"]).glob("*.xplane.pb")
    names = sorted(each.name.partition(".")[0] for each in files)
    assert [each.rpartition("_")[2] for each in names] == ["0", "1"]
    (missing,) = [each for each in information["findings"] if each["code"] == "process-not-captured"]
    assert missing["values"]["process"].endswith("_2")
    assert "killed" in missing["values"]["why"]


def test_what_a_job_starts_is_not_captured_beside_it(job):
    script = """
    import multiprocessing, os, sys
    import jax, jax.numpy as jnp

    def work(number):
        import jax.numpy as jnp
        return float(jnp.ones(number).sum())

    if __name__ == "__main__":
        x = jnp.ones(3) + 1
        if os.fork() == 0:
            sys.exit(0)
        os.wait()
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            print(pool.map(work, [3, 4]))
    """
    job.start({"whole": True}, script)
    ((stdout, stderr),) = job.end()
    assert "[3.0, 4.0]" in stdout
    assert "scopelight:" not in stderr
    job.until_ended()
    assert len(list(job.runs[0].glob("plugins/profile/*/*.xplane.pb"))) == 1
    assert job.information["exit_code"] == 0


def test_what_a_launcher_forks_before_it_uses_jax_is_captured(job):
    script = """
    import os, sys
    if os.fork() == 0:
        import time
        import jax, jax.numpy as jnp
        train_step = jax.jit(lambda x: jnp.tanh(x @ x) / 3)
        x = jnp.ones((100, 100))
        for _ in range(300):
            x = train_step(x).block_until_ready()
            time.sleep(0.004)
        sys.exit(0)
    os.wait()
    """
    job.start({"steps": 3}, script)
    ((_, stderr),) = job.end()
    job.until_ended()
    assert stderr == ""
    assert job.information["window"]["complete_steps"] == 3


def test_where_no_interpreter_can_run_it_the_job_is_captured_by_itself(job):
    job.start({"conductor": "/nowhere/python"})
    job.until_captured()
    ((_, stderr),) = job.end()
    assert "/nowhere/python is no interpreter" in stderr
    run = job.runs[0]
    profile = open_profile(run)
    assert "captured-alone" in [each["code"] for each in job.information["findings"]]
    assert job.information["window"]["complete_steps"] == 5
    assert len(find_steps(profile)) in (5, 6)
    assert (run / "sources" / str(job.folder / "train.py").lstrip("/")).read_text() == JOB
    assert not conductors(run)
    (file,) = (run / job.information["window"]["session"]).glob("*.xplane.pb")
    host = {"name": file.name.removesuffix(".xplane.pb"), "process_index": 0, "pid": job.started[0].pid}
    assert job.information["hosts"] == [host]


ALONE = """
import time
import jax, jax.numpy as jnp

@jax.jit
def train_step(x):
    return jnp.tanh(x @ x) / 3

x = jnp.ones((100, 100))
for epoch in range(4):
    for batch in iter(range(40)):
        x = train_step(x + batch).block_until_ready()
        time.sleep(0.3 if (epoch, batch) == (3, 20) else 0.002)
"""


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"from_step": 50, "steps": 4}, [range(50, 54)]),
        ({"every": 60, "steps": 3}, [range(60, 63), range(120, 123)]),
        ({"epoch": 2, "steps": 2}, [range(80, 82)]),
        ({"from_step": 500}, []),
    ],
)
def test_a_job_that_is_captured_by_itself_counts_its_steps(job, options, expected):
    job.start({"conductor": "/nowhere/python", **options}, ALONE)
    job.end()
    information = job.information
    windows = [range(each["first_step"], each["last_step"] + 1) for each in information["windows"]]
    assert windows == expected
    if not expected:
        assert information["failure"] == "The script ended before a window came that was asked for."


def test_a_job_that_is_captured_by_itself_finds_its_slow_step(job):
    job.start({"conductor": "/nowhere/python", "when": "slow:30", "slow_by": "ring", "most_cost": 1.0}, ALONE)
    job.end()
    (window,) = job.information["windows"]
    assert window["slow_steps"] == [141]
    assert window["first_step"] <= 141 <= window["last_step"]


def test_windows_of_steps_of_several_processes_are_of_the_same_steps(job):
    # Not before both have somebody who follows them.
    waits = "    while not os.path.exists('go'):\n        time.sleep(0.01)\n    for batch"
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    # The other way round than their launcher counts them.
    together = f"jax.distributed.initialize('localhost:{port}', 2, 1 - int(os.environ['RANK']))\n\n@jax.jit"
    script = ALONE.replace("import time", "import os, time").replace("    for batch", waits)
    script = script.replace("@jax.jit", together)
    for each in range(2):
        job.start({"every": 60, "steps": 3}, script, RANK=str(each), WORLD_SIZE="2", MASTER_ADDR="localhost")
    until(lambda: len(job.runs) == 1 and job.information.get("backend") == "cpu", seconds=90)
    (job.folder / "go").touch()
    job.end()
    job.until_ended()
    windows = job.information["windows"]
    assert [(each["first_step"], each["last_step"]) for each in windows] == [(60, 62), (120, 122)]
    for window in windows:
        files = sorted((job.runs[0] / window["session"]).glob("*.xplane.pb"))
        assert [each.name.partition(".")[0].rpartition("_")[2] for each in files] == ["0", "1"]
        assert {len(find_steps(open_profile(each))) for each in files} <= {3, 4}
    run = find_run_information(job.runs[0])
    pids = {each.process_index: each.pid for each in run.hosts}
    assert [run.process_index(each.name.removesuffix(".xplane.pb")) for each in files] == [1, 0]
    assert [pids[1], pids[0]] == [each.pid for each in job.started]
    described = [(each.process_index, each.local_hardware_id, each.coords) for each in run.devices]
    assert sorted(described) == [(0, 0, None), (1, 0, None)]


def test_the_slow_step_of_a_job_is_found_as_its_variable_says(job):
    job.start({"when": "slow:30", "slow_by": "ring", "most_cost": 1.0}, ALONE)
    job.end()
    job.until_ended()
    assert [each["slow_steps"] for each in job.information["windows"]] == [[141]]


def test_the_slow_step_of_a_job_is_found_that_ends_before_its_steps_are_known(job):
    # The last steps take less time than it takes to look at those before the slow one.
    script = ALONE.replace("range(40)", "range(34)").replace("0.3 if (epoch, batch)", "0.15 if (epoch, batch)")
    job.start({"when": "slow:30", "slow_by": "ring", "most_cost": 1.0}, script)
    job.end()
    job.until_ended()
    assert [each["slow_steps"] for each in job.information["windows"]] == [[123]]
    codes = {each["code"] for each in job.information["findings"]}
    assert not codes & {"no-slow-step", "window-of-other-steps"}


def test_a_job_that_waits_is_captured_when_it_is_asked(job):
    job.start({"start": False, "steps": 3})
    until(lambda: len(job.runs) == 1 and job.information.get("backend") == "cpu", seconds=90)
    assert job.information["windows"] == []
    for number in (1, 2):
        run = capture_further(job.runs[0], threading.Event())
        assert len(run.information.windows) == number
    job.end()
    job.until_ended()
    sessions = [each["session"] for each in job.information["windows"]]
    assert len(set(sessions)) == 2
    assert all(open_profile(job.runs[0] / each).runs for each in sessions)
    with pytest.raises(CaptureFailure, match="captured no more"):
        capture_further(job.runs[0], threading.Event())


def test_after_the_window_that_was_asked_for_another_can_be_taken_and_not_before(job):
    job.start({"from_step": 400, "steps": 3})
    until(lambda: len(job.runs) == 1 and job.information.get("backend") == "cpu", seconds=90)
    with pytest.raises(CaptureFailure, match="has not come yet"):
        capture_further(job.runs[0], threading.Event())
    job.until_captured()
    run = capture_further(job.runs[0], threading.Event())
    first, second = run.information.windows
    assert (first.first_step, first.complete_steps, second.complete_steps) == (400, 3, 3)
    assert second.first_step > 402
    job.end()


@pytest.mark.parametrize(
    ("options", "why"),
    [({"every": 1000}, "followed to its end"), ({"whole": True}, "there is nothing else")],
)
def test_where_no_other_window_can_be_taken_it_is_said_at_once(job, options, why):
    job.start(options)
    until(lambda: len(job.runs) == 1 and job.information.get("backend") == "cpu", seconds=90)
    with pytest.raises(CaptureFailure, match=why):
        capture_further(job.runs[0], threading.Event())
    job.end()


def test_jobs_that_nothing_joins_are_runs_of_their_own(job):
    for _ in range(2):
        job.start({"whole": True})
    for each in job.started:
        each.stdout.readline()
    job.end()
    until(lambda: len(job.runs) == 2 and all(_has_ended(each) for each in job.runs), seconds=60)


def _has_ended(run: Path) -> bool:
    file = run / "run.json"
    return file.exists() and json.loads(file.read_text())["has_ended"]
