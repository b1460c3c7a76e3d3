"""Real jobs of jax, captured while they train."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from scopelight.analysis.monitoring.reading import read_job
from scopelight.capture.failures import Exit
from scopelight.capture.servers.local_jobs import find_local_jobs
from scopelight.capture.servers.monitoring import MonitorSpec
from scopelight.capture.servers.server_source import ServerSource
from scopelight.capture.servers.spec import ServerCaptureSpec
from scopelight.model.opening.profile import open_profile

OLDER = [each for each in os.environ.get("SCOPELIGHT_TEST_OLDER_PYTHON", "").split(os.pathsep) if each]


def spec_for(tmp_path, seconds=0.3, **others):
    return ServerCaptureSpec(seconds=seconds, out=tmp_path / "run", cwd=tmp_path, **others)


def stages_of(heard, address, *stages):
    """Hears progress, and sets an event once a server has come to one of these stages."""

    def hear(progress):
        if progress.address == address and progress.stage in stages:
            heard.set()

    return hear


def files(run):
    return sorted(each.name for each in run.path.glob("plugins/profile/*/*.xplane.pb"))


def test_one_server_gives_programs_and_sources_of_its_job(jobs, tmp_path):
    captured = ServerSource([jobs[0].address]).capture(spec_for(tmp_path))
    assert (captured.exit_code, captured.problems) == (None, ())
    assert files(captured.run) == [f"localhost_{jobs[0].port}.xplane.pb"]
    profile = open_profile(captured.run.path)
    # It was compiled, and had run, before the job listened.
    assert {"jit_before", "jit_step"} <= {each.name.partition("(")[0] for each in profile.programs}
    assert len(profile.executions) > 0
    run = captured.run.information
    assert run.state == "captured"
    assert Path(run.script).name == "server_job.py"
    assert run.source.servers[0].pid == jobs[0].process.pid
    saved = json.loads((captured.run.path / "sources" / "index.json").read_text())
    assert any(path.endswith("server_job.py") for path in saved)
    assert not captured.run.probes.exists()


def test_three_servers_begin_together_and_are_one_run(jobs, tmp_path):
    captured = ServerSource([each.address for each in jobs]).capture(spec_for(tmp_path))
    assert captured.exit_code is None
    assert files(captured.run) == sorted(f"localhost_{each.port}.xplane.pb" for each in jobs)
    assert len(list(captured.run.path.glob("plugins/profile/*"))) == 1
    started = [each.started_ns for each in captured.run.information.source.servers]
    assert max(started) - min(started) < 50_000_000
    assert len({each.host for each in open_profile(captured.run.path).executions.devices}) == 3


def test_of_three_servers_one_dies(jobs, jobs_of, tmp_path):
    (mortal,) = jobs_of(None)
    capturing = threading.Event()
    source = ServerSource(
        [jobs[0].address, mortal.address, jobs[1].address], stages_of(capturing, mortal.address, "capturing")
    )
    threading.Thread(target=lambda: (capturing.wait(), mortal.process.kill()), daemon=True).start()
    captured = source.capture(spec_for(tmp_path, 1))
    assert captured.exit_code == Exit.PARTIAL
    assert files(captured.run) == sorted(f"localhost_{each.port}.xplane.pb" for each in jobs[:2])
    (problem,) = captured.problems
    assert (problem.code, problem.values["address"]) == ("server-died", str(mortal.address))
    assert problem in captured.run.information.findings
    assert [each.problem for each in captured.run.information.source.servers] == [None, "server-died", None]


def test_a_stopped_job_ends_at_the_deadline(jobs_of, tmp_path):
    (stopped,) = jobs_of(None)
    capturing = threading.Event()
    source = ServerSource([stopped.address], stages_of(capturing, stopped.address, "capturing"))
    threading.Thread(
        target=lambda: (capturing.wait(), stopped.process.send_signal(signal.SIGSTOP)), daemon=True
    ).start()
    captured = source.capture(spec_for(tmp_path, 1, margin_seconds=1))
    assert captured.exit_code == Exit.NOT_CAPTURED
    (problem,) = captured.problems
    assert (problem.code, problem.values["pid"]) == ("server-stopped", str(stopped.process.pid))
    assert 2 <= problem.values["waited_s"] < 20


def test_two_captures_of_one_job_come_one_after_the_other(jobs, tmp_path):
    begun = threading.Event()
    first = ServerSource([jobs[0].address], stages_of(begun, jobs[0].address, "capturing"))
    results = []
    thread = threading.Thread(target=lambda: results.append(first.capture(spec_for(tmp_path / "first", 1.5))))
    thread.start()
    begun.wait()
    results.append(ServerSource([jobs[0].address]).capture(spec_for(tmp_path / "second", attempts=10)))
    thread.join()
    assert [each.exit_code for each in results] == [None, None]
    windows = [(each.started_ns, each.closed_ns) for each in (each.run.information.window for each in results)]
    earlier, later = sorted(windows)
    assert earlier[1] < later[0]


def test_a_cancelled_capture_leaves_the_server_free(jobs, tmp_path):
    capturing = threading.Event()
    source = ServerSource([jobs[0].address], stages_of(capturing, jobs[0].address, "capturing"))
    threading.Thread(target=lambda: (capturing.wait(), source.cancel()), daemon=True).start()
    captured = source.capture(spec_for(tmp_path / "cancelled", 60))
    assert captured.was_cancelled
    assert [each.code for each in captured.problems] == ["server-cancelled"]
    again = ServerSource([jobs[0].address]).capture(spec_for(tmp_path / "again", attempts=3))
    assert again.exit_code is None


def test_two_jobs_on_one_port_are_named_and_one_can_be_chosen(jobs_of, tmp_path):
    (first,) = jobs_of(None)
    (second,) = jobs_of(first.port)
    captured = ServerSource([first.address]).capture(spec_for(tmp_path))
    assert (captured.run, captured.exit_code) == (None, Exit.REFUSED)
    (problem,) = captured.problems
    assert problem.code == "server-port-shared"
    named = " ".join(problem.values["processes"])
    assert str(first.process.pid) in named and str(second.process.pid) in named
    chosen = ServerSource([first.address]).capture(spec_for(tmp_path, pid=second.process.pid))
    assert chosen.exit_code is None
    assert chosen.run.information.source.servers[0].pid == second.process.pid


def test_jobs_that_listen_are_found(jobs):
    found = {each.address: each for each in find_local_jobs()}
    for job in jobs:
        listed = found[str(job.address)]
        assert (listed.pid, listed.kind, Path(listed.script).name) == (job.process.pid, "current", "server_job.py")


@pytest.mark.skipif(not OLDER, reason="SCOPELIGHT_TEST_OLDER_PYTHON names no Python whose jaxlib is older than 0.9")
def test_a_job_with_an_older_jaxlib_is_not_asked_and_goes_on(jobs_of, tmp_path):
    (job,) = jobs_of(None, python=OLDER[0])
    before = job.steps()
    command = [sys.executable, "-m", "scopelight.cli.main", "capture", str(job.address)]
    finished = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert finished.returncode == Exit.REFUSED
    assert "older than 0.9" in finished.stderr
    after = job.steps()
    assert after > before
    assert job.steps() >= after
    assert list(tmp_path.iterdir()) == []


def test_a_job_is_watched_and_its_steps_are_as_long_as_it_says(jobs):
    job = jobs[0]
    samples = ServerSource([job.address]).monitor(MonitorSpec(level=2, every_seconds=0.1, count=2))
    before, began = job.steps(), time.monotonic()
    readings = [read_job(open_profile(each.file), "", each.time_ns, 2) for each in samples]
    period_seconds = (time.monotonic() - began) / (job.steps() - before)
    assert len(readings) == 2
    for each in readings:
        assert each.device_type == "cpu"
        assert 0 < each.utilisation_ratio < 1
        assert each.idle_ratio == pytest.approx(1 - each.utilisation_ratio)
        assert each.step_min_ps <= each.step_avg_ps <= each.step_max_ps
        # A pause of 10 ms is in each step.
        assert each.step_min_ps > 9e9
        assert each.step_avg_ps / 1e12 == pytest.approx(period_seconds, rel=0.5)
