import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import attrs
import pytest

from made import scripts

DRIVER = Path(scripts.__file__).with_name("capture_driver.py")
PYTHONS = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each] or [sys.executable]


@attrs.frozen
class Captured:
    """What a captured script left."""

    returncode: int
    stdout: str
    stderr: str
    out: Path

    @property
    def run(self):
        return json.loads((self.out / "run.json").read_text())

    @property
    def profiles(self):
        return sorted(self.out.glob("plugins/profile/*/*.xplane.pb"))


@attrs.frozen
class Workbench:
    """A folder to write scripts into and run them from, with and without capture."""

    folder: Path
    python: str
    started: list[subprocess.Popen] = attrs.field(factory=list)

    def end(self):
        """End what still runs of the captures that were started."""
        for process in self.started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text))
        return file

    @property
    def environment(self):
        chosen = {**os.environ, "JAX_PLATFORMS": "cpu"}
        for name in ("PYTHONPATH", "JAX_ENABLE_X64"):
            chosen.pop(name, None)
        return chosen

    def command(self, name, *arguments, is_module=False, watches_memory=True, resources_seconds=None, **options):
        settings = {
            "name": name,
            "arguments": arguments,
            "is_module": is_module,
            "python": self.python,
            "out": str(self.folder / "run"),
            "watches_memory": watches_memory,
            "resources_seconds": resources_seconds,
            "options": options,
        }
        return [sys.executable, str(DRIVER), json.dumps(settings)]

    def capture(self, name, *arguments, is_module=False, environment=None, **options):
        finished = subprocess.run(
            self.command(name, *arguments, is_module=is_module, **options),
            cwd=self.folder,
            env=environment or self.environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return Captured(finished.returncode, finished.stdout, finished.stderr, self.folder / "run")

    def capture_until(self, holds, name, *arguments, **options):
        """Capture a script that runs until there is a file ``enough``, which is once this holds of ``run.json``."""
        process = self.start(name, *arguments, **options)
        self.wait(process, lambda: holds(self.information))
        (self.folder / "enough").touch()
        stdout, stderr = process.communicate(timeout=240)
        return Captured(process.returncode, stdout, stderr, self.folder / "run")

    @property
    def information(self):
        """What ``run.json`` says by now; empty before there is one."""
        file = self.folder / "run" / "run.json"
        return json.loads(file.read_text()) if file.exists() else {}

    def wait(self, process, holds):
        """Wait until something is so, of a capture that goes on meanwhile."""
        until = time.monotonic() + 240
        while not holds():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, f"{self.python}: this has not come about: {self.information}"
            time.sleep(0.02)

    def start(self, name, *arguments, **options):
        """A capture in a process group of its own, as a shell starts it."""
        process = subprocess.Popen(
            self.command(name, *arguments, **options),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.started.append(process)
        return process

    def plain(self, *command, environment=None):
        return subprocess.run(
            [self.python, *command],
            cwd=self.folder,
            env=environment or self.environment,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )


@pytest.fixture(params=PYTHONS)
def bench(request, tmp_path):
    bench = Workbench(tmp_path, request.param)
    yield bench
    bench.end()


@pytest.fixture
def tpu_bench(tmp_path, tpu_python):
    """Whose Python has the compiler for TPUs."""
    return Workbench(tmp_path, tpu_python)
