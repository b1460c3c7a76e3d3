"""Captures each workload once and hands the tests what was found beside what the workload knows of itself."""

import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import attrs
import pytest

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

    def own_median_seconds(self) -> float:
        """The workload's own median step inside the window, over as many steps as were found.

        One step may be found more or less than the workload counts, and on a busy machine that alone moves the median
        of five: of the runs of steps that may be meant, the one is taken whose median is the nearest.
        """
        start, stop = self.truth["start_ns"], self.truth["stop_ns"]
        own = [(stop[row] - start[row]) / 1e9 for row in self.steps_inside]
        count = min(len(own), len(self.lines["steps"]))
        medians = [statistics.median(own[first : first + count]) for first in range(len(own) - count + 1)]
        return min(medians, key=lambda median: abs(median - self.found_median_seconds()))

    def found_median_seconds(self) -> float:
        """The median of the steps that were found."""
        return statistics.median(each["duration_ps"] for each in self.lines["steps"]) / 1e12

    def ops(self) -> dict[tuple[str, str], list[tuple[str | None, int, int]]]:
        """Each op (program, name), with the places and picoseconds that it was charged to, and its category."""
        charged = defaultdict(list)
        for line in self.lines["lines"]:
            for op in line["ops"]:
                place = (line["path"], line["line"], op["self_ps"], op["category"])
                charged[op["program_id"], op["name"]].append(place)
        for op in self.lines["unattributed_ops"]:
            place = (None, 0, op["self_ps"], op["category"])
            charged[op["program_id"], op["name"]].append(place)
        return charged

    def long_ops(self) -> dict[tuple[str, str], list[tuple[str | None, int, int, str]]]:
        """The ops that took 2 % of the op time or more, with the places that each was charged to."""
        least = self.lines["op_time_ps"] * 0.02
        return {key: places for key, places in self.ops().items() if sum(each[2] for each in places) >= least}


@pytest.fixture(scope="session")
def capture(project, tmp_path_factory):
    """``capture(name, *options, script=[...], folder=...)``: the workload captured once, however often asked."""
    kept = {}
    command = Path(sys.executable).parent / "scopelight"

    def run(name, *options, script, folder):
        if name in kept:
            return kept[name]
        directory = tmp_path_factory.mktemp("runs") / name
        arguments = [
            command,
            "run",
            "--no-calibration",
            "--python",
            sys.executable,
            "--out",
            directory,
            *options,
            *script,
        ]
        ran = subprocess.run(
            arguments, cwd=folder, capture_output=True, text=True, timeout=RUN_TIMEOUT_SECONDS, check=False
        )
        assert (directory / "run.json").is_file(), ran.stderr
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
            output=ran.stdout,
            messages=ran.stderr,
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
        return capture(name, *options.get(name, ["--whole"]), script=script, folder=folder)

    return run
