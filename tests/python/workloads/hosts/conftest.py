"""Makes pods, several processes that train together on this machine, and opens them."""

import json
import math
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import attrs
import pytest

from scopelight.analysis.hosts.options import HostsOptions
from scopelight.analysis.hosts.records import HostRow, HostsRecord
from scopelight.views.hosts import hosts
from scopelight.views.opening import open_subject

POD_SECONDS = 240
MOST_TRIES = 3
MOST_OFF = 0.25
"""Of what was added to a host: where so much more or less holds others up, the machine was busy with something else."""
MOST_OVERHEAD_MS = 60
"""That a step takes beside what its callbacks sleep: 30 where the machine does nothing else."""


@attrs.frozen(eq=False)
class Pod:
    """A log directory of several hosts, and what was done to them."""

    directory: Path
    truth: dict

    @property
    def session(self) -> Path:
        (session,) = (self.directory / "plugins" / "profile").iterdir()
        return session

    @property
    def files(self) -> list[Path]:
        return sorted(self.session.glob("*.xplane.pb"))

    @property
    def names(self) -> list[str]:
        return [f"host{rank}" for rank in range(len(self.truth["devices"]))]

    @property
    def held_up_ps(self) -> float:
        """By how much the slow host holds all others up in a step, as its callbacks and theirs saw it."""
        return self.truth["held_up_ms_per_step"][self.names.index(self.truth["slow"])] * 1e9

    def is_undisturbed(self, most_overhead_ms: float) -> bool:
        """Whether it was made while the machine had little else to do, by clocks outside of the profiles."""
        if self.truth["step_ms"] - self.truth["slept_ms"] > most_overhead_ms:
            return False
        added_ps = self.truth["extra_ms_per_step"] * 1e9
        return self.truth["slow"] is None or abs(self.held_up_ps - added_ps) <= MOST_OFF * added_ps


@pytest.fixture(scope="session")
def pod_script(project):
    return project / "tests" / "workloads" / "hosts" / "pod.py"


@pytest.fixture(scope="session")
def pod_module(pod_script):
    """The script that makes pods, imported."""
    spec = spec_from_file_location("pod", pod_script)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def callback_line(pod_script):
    lines = pod_script.read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if "jax.pure_callback(" in text]
    return line


@pytest.fixture(scope="session")
def make_pod(pod_script, tmp_path_factory):
    """``make_pod(*options)``: a pod that the script makes, made anew where the machine was busy with something else."""

    def made(*options, python=sys.executable, most_overhead_ms=MOST_OVERHEAD_MS):
        directory = tmp_path_factory.mktemp("pods") / "pod"
        for _ in range(MOST_TRIES):
            ran = subprocess.run(
                [python, pod_script, directory, *options],
                capture_output=True,
                text=True,
                timeout=POD_SECONDS,
                check=False,
            )
            assert ran.returncode == 0, ran.stdout + ran.stderr
            pod = Pod(directory, json.loads((directory / "truth.json").read_text()))
            if pod.is_undisturbed(most_overhead_ms):
                break
        return pod

    return made


@pytest.fixture(scope="session")
def slow_pod(make_pod):
    """Four hosts of two devices; each of two layers takes 8 ms longer on those of host2."""
    # Every run of the tests makes it, however busy the machine is: what it says of itself is held against it.
    return make_pod("--hosts=4", "--devices=2", "--slow=2", "--kind=device", "--ms=8", most_overhead_ms=math.inf)


@pytest.fixture(scope="session")
def compared(project):
    """``compared(path)``: what the view of hosts says."""

    def record(path) -> HostsRecord:
        return hosts(open_subject(path, project), HostsOptions())

    return record


@pytest.fixture(scope="session")
def slow_record(slow_pod, compared):
    return compared(slow_pod.directory)


@pytest.fixture
def copied(tmp_path):
    """``copied(pod)``: the files of a pod in a log directory of their own, without what was found of them."""

    def copy(pod) -> Pod:
        session = tmp_path / "copy" / "plugins" / "profile" / pod.session.name
        session.mkdir(parents=True)
        for file in pod.files:
            shutil.copy(file, session)
        return Pod(tmp_path / "copy", pod.truth)

    return copy


@pytest.fixture(scope="session")
def is_named_rightly():
    """``is_named_rightly(record, pod)``: the slow host alone is named, for the right reason and cost: its row."""

    def checked(record: HostsRecord, pod: Pod) -> HostRow:
        (named,) = [each for each in record.hosts if each.is_named]
        assert (named.host, named.reason) == (pod.truth["slow"], pod.truth["reason"])
        assert named.cost_per_step_ps == pytest.approx(pod.held_up_ps, rel=MOST_OFF), pod.truth
        others = {each.host: each.cost_per_step_ps for each in record.hosts if not each.is_named}
        assert max(others.values()) <= 0.05 * record.step_ps, others
        (said,) = [each for each in record.findings if each.code == "host-slow"]
        assert said.values["host"] == named.host
        assert not [each for each in record.findings if each.code == "device-slow"]
        return named

    return checked
