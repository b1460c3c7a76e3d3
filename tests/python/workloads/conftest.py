"""Captures each workload once and hands the tests what was found beside what the workload knows of itself."""

import bisect
import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

import attrs
import pytest

from scopelight.model.opening.profile import open_profile

RUN_TIMEOUT_SECONDS = 300


@attrs.frozen(eq=False)
class Captured:
    """One workload, run under ``scopelight run``."""

    directory: Path
    lines: dict
    """The record of ``show lines --json``."""
    run: dict
    """``run.json``."""
    exit_code: int
    output: str
    messages: str

    @property
    def clock(self) -> Path:
        """Where the script's own clock, if it has one, wrote at which lines it stood."""
        return _clock_of(self.directory)

    @property
    def truth(self) -> dict:
        """What the workload printed of itself: when its steps began and ended, in epoch nanoseconds."""
        return json.loads(next(line for line in self.output.splitlines() if line.startswith('{"start_ns"')))

    @property
    def steps_inside(self) -> list[int]:
        """Which of the workload's own steps lie wholly inside the window."""
        window = self.run["window"]
        times = zip(self.truth["start_ns"], self.truth["stop_ns"], strict=True)
        return [
            row
            for row, (start, stop) in enumerate(times)
            if start >= window["started_ns"] and stop <= window["closed_ns"]
        ]

    def own_steps(self, times_ps: list[int]) -> list[int | None]:
        """In which of the workload's own steps these times of the profile are; None between two of them."""
        origin_ns = open_profile(self.directory).started_ns
        start_ns, stop_ns = self.truth["start_ns"], self.truth["stop_ns"]
        found = []
        for time_ps in times_ps:
            time_ns = origin_ns + time_ps // 1000
            row = bisect.bisect_right(start_ns, time_ns) - 1
            found.append(row if row >= 0 and time_ns <= stop_ns[row] else None)
        return found

    def ops(self) -> dict[tuple[str, str], list[tuple[str | None, int, int, str, int]]]:
        """Each op (program, name): the places and picoseconds that it was charged to, its category and executions."""
        charged = defaultdict(list)
        for line in self.lines["lines"]:
            for op in line["ops"]:
                place = (line["path"], line["line"], op["self_ps"], op["category"], op["executions"])
                charged[op["program_id"], op["name"]].append(place)
        for op in self.lines["unattributed_ops"]:
            place = (None, 0, op["self_ps"], op["category"], op["executions"])
            charged[op["program_id"], op["name"]].append(place)
        return charged

    def long_ops(self) -> dict[tuple[str, str], list[tuple[str | None, int, int, str, int]]]:
        """The ops that took 2 % of the op time or more, with the places that each was charged to."""
        least = self.lines["op_time_ps"] * 0.02
        return {key: places for key, places in self.ops().items() if sum(each[2] for each in places) >= least}


def _clock_of(directory):
    return directory.with_name("clock.json")


def wait_for_window(process, run_json):
    """Wait until the profile of the window is there, or the capture has ended without."""
    until = time.monotonic() + RUN_TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < until:
        if run_json.is_file() and json.loads(run_json.read_text())["state"] == "captured":
            return
        time.sleep(0.02)


@pytest.fixture(scope="session")
def capture(project, tmp_path_factory):
    """``capture(name, *options, script=[...], folder=..., ends=...)``: the workload captured once, however often asked.

    It runs with this ``python`` and these ``variables`` of its environment. A script ``ends`` by itself, or when its
    window is over, however long that takes: it is ``"told"`` by the file that STEPS_UNTIL names, or ``"interrupted"``.
    """
    kept = {}
    command = Path(sys.executable).parent / "scopelight"

    def run(name, *options, script, folder, ends="itself", python=sys.executable, variables=None):
        if name in kept:
            return kept[name]
        directory = tmp_path_factory.mktemp("runs") / name
        arguments = [
            command,
            "run",
            "--no-calibration",
            "--python",
            python,
            "--out",
            directory,
            *options,
            *script,
        ]
        enough = directory.with_name("enough")
        environment = {**os.environ, "TRUTH_CLOCK": str(_clock_of(directory)), **(variables or {})}
        if ends == "told":
            environment["STEPS_UNTIL"] = str(enough)
        with subprocess.Popen(
            arguments, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as ran:
            if ends != "itself":
                wait_for_window(ran, directory / "run.json")
                enough.touch()
            if ends == "interrupted":
                ran.send_signal(signal.SIGINT)
            try:
                output, messages = ran.communicate(timeout=RUN_TIMEOUT_SECONDS)
            finally:
                ran.kill()
        assert (directory / "run.json").is_file(), messages
        shown = subprocess.run(
            [command, "show", "lines", directory, "--json"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=RUN_TIMEOUT_SECONDS,
            check=False,
        )
        assert shown.returncode == 0, shown.stderr
        kept[name] = Captured(
            directory=directory,
            lines=json.loads(shown.stdout),
            run=json.loads((directory / "run.json").read_text()),
            exit_code=ran.returncode,
            output=output,
            messages=messages,
        )
        return kept[name]

    return run


@pytest.fixture(scope="session")
def workload(capture, project):
    """``workload(name)``: a script of ``tests/workloads`` captured with the options that its scenario needs."""
    folder = project / "tests" / "workloads"
    options = {
        "plain_loop": [],
        "two_jits": [],
        "evaluation": ["--steps", "25"],
        "accumulation": [],
    }

    def run(name):
        script = ["-m", name] if (folder / name).is_dir() else [f"{name}.py"]
        # With a window the steps go on until it is over, however slow the machine is.
        ends = "told" if name in options else "itself"
        return capture(name, *options.get(name, ["--whole"]), script=script, folder=folder, ends=ends)

    return run


@pytest.fixture(scope="session")
def capture_host(capture, project):
    """``capture_host(name, script, python, *options)``: a script of ``tests/workloads/host`` by a Python, captured.

    Skips where there is no such Python.
    """

    def captured(name, script, python, *options, ends="told"):
        if python is None:
            pytest.skip("no Python with line events has jax: `make test-host` makes some")
        found = capture(
            name,
            *options,
            script=[f"{script}.py"],
            folder=project / "tests" / "workloads" / "host",
            ends=ends,
            python=python,
            variables={"JAX_PLATFORMS": "cpu"},
        )
        assert found.exit_code == 0, found.messages
        return found

    return captured
