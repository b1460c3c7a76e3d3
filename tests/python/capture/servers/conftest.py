import os
import signal
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from made import scripts
from scopelight.capture.servers.address import Address
from scopelight.capture.servers.sockets import listening

JOB = Path(scripts.__file__).with_name("server_job.py")


@attrs.define
class Job:
    """A job that trains, and listens."""

    process: subprocess.Popen
    port: int

    @property
    def address(self):
        return Address("localhost", self.port)

    def steps(self):
        """How many steps it has made."""
        self.process.stdin.write("steps\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
        self.process.wait()


def free_port():
    taken = {each.own[1] for each in listening()}
    return next(port for port in range(20_000 + os.getpid() % 10_000, 60_000) if port not in taken)


def start_job(folder, python=sys.executable, port=None):
    port = port or free_port()
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    environment.pop("PYTHONPATH", None)
    process = subprocess.Popen(
        [python, str(JOB), str(port)],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    return Job(process, port)


@pytest.fixture
def jobs_of(tmp_path):
    """Starts jobs that one test alone has, and waits until they train."""
    started = []

    def start(*ports, python=sys.executable):
        new = []
        for port in ports:
            new.append(start_job(tmp_path, python, port))
            started.append(new[-1])
            assert new[-1].process.stdout.readline() == "trains\n"
        return new

    yield start
    for each in started:
        each.end()


@pytest.fixture(scope="module")
def jobs(tmp_path_factory):
    """Three jobs; a test leaves them as they were."""
    folder = tmp_path_factory.mktemp("jobs")
    started = []
    for _ in range(3):
        started.append(start_job(folder))
        assert started[-1].process.stdout.readline() == "trains\n"
    yield started
    for each in started:
        each.end()
