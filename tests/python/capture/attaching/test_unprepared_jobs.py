"""Which processes of this machine count as jobs that nobody prepared."""

import os
import subprocess
import sys

import pytest

from scopelight.capture.attaching.unprepared_jobs import find_unprepared_jobs

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what a process has loaded")
JOB = """
import os, sys
{loads}
worker = os.fork()
if worker:
    print(worker, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def start(tmp_path):
    """Start a process that has a worker; returns the ids of both."""
    started = []

    def start_it(loads="import jaxlib.xla_client", **environment):
        # Not what a test before it has inherited.
        clean = {name: value for name, value in os.environ.items() if not name.startswith("SCOPELIGHT_")}
        (tmp_path / "train.py").write_text(JOB.format(loads=loads))
        process = subprocess.Popen(
            [sys.executable, "train.py", "argument"],
            cwd=tmp_path,
            env={**clean, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process.pid, int(process.stdout.readline())

    yield start_it
    for each in started:
        each.communicate()


def test_jobs_that_nobody_prepared_are_found_without_their_workers(start, tmp_path):
    pid, worker = start()
    without_jax = start("")
    launched = start(SCOPELIGHT_SHIM_CONTROL="9")
    prepared = start(SCOPELIGHT_OPTIONS="{}")
    found = {each.pid: each for each in find_unprepared_jobs()}
    assert pid in found
    assert not {worker, *without_jax, *launched, *prepared} & set(found)
    assert found[pid].cwd == str(tmp_path)
    assert found[pid].jaxlib is not None
    assert (found[pid].script, found[pid].arguments) == ("train.py", ("argument",))
    # What listens is captured by its server.
    assert pid not in {each.pid for each in find_unprepared_jobs({pid})}
