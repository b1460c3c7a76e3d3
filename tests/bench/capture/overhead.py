"""What capture costs the script: the same script with and without Scopelight, alternating."""

import json
import operator
import os
import statistics
import subprocess
import tempfile
from pathlib import Path

import attrs

WORKLOADS = Path(__file__).parents[2] / "workloads"


@attrs.frozen
class Overhead:
    """Ratios are the median step with Scopelight over the median step without.

    Of several runs the least is taken on each side: what else the machine does only adds to a step, and on one of two
    processors the medians of equal runs may differ by a tenth. The ratios of the pairs stand beside it.
    """

    window_ratio: float
    window_ratios: tuple[float, ...]
    """Of each pair."""
    outside_ratio: float
    outside_ratios: tuple[float, ...]
    noise_ratio: float
    """By how much the medians of the runs without Scopelight differ among themselves."""
    window_steps: int
    step_seconds: float
    """The median step without Scopelight."""
    pause_seconds: float
    """The longest pause of the script while a trace was stopped."""


def steps_of(output: str) -> list[tuple[int, int]]:
    """Start and end of each step in epoch nanoseconds, from the line of a workload's output that says so."""
    truth = json.loads(next(line for line in output.splitlines() if line.startswith('{"start_ns"')))
    return list(zip(truth["start_ns"], truth["stop_ns"], strict=True))


def median_seconds(steps: list[tuple[int, int]]) -> float:
    return statistics.median(stop - start for start, stop in steps) / 1e9


def run(command: list[str]) -> str:
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    finished = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if finished.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {finished.returncode}:\n{finished.stderr}")
    return finished.stdout


def measure(python: Path, script: list[str], window_steps: int, repetitions: int) -> Overhead:
    """Runs a workload (its file name and arguments) with a window of ``window_steps`` steps, and without."""
    script = [str(WORKLOADS / script[0]), *script[1:]]
    inside_seconds, outside_seconds, pauses, seen = [], [], [], []
    plain_seconds, late_seconds = [], []
    for _ in range(repetitions):
        plain = steps_of(run([str(python), *script]))
        with tempfile.TemporaryDirectory() as folder:
            directory = Path(folder) / "run"
            options = ["--out", str(directory), "--steps", str(window_steps), "--python", str(python)]
            profiled = steps_of(run([str(python.parent / "scopelight"), "run", "--no-calibration", *options, *script]))
            recorded = json.loads((directory / "run.json").read_text())
        window = recorded["window"]
        opened, closed = window["started_ns"], window["closed_ns"]
        inside = [step for step in profiled if step[0] >= opened and step[1] <= closed]
        # For about a second the parent reads the window and prints its lines.
        settled = closed + 1_000_000_000
        outside = [step for step in profiled if step[0] >= settled]
        if not inside or not outside:
            raise SystemExit(f"{script[0]} ended before the second after its window: give it more --steps.")
        late_plain = plain[len(plain) - len(outside) :]
        late_seconds.append(median_seconds(late_plain))
        position = profiled.index(inside[0])
        plain_seconds.append(median_seconds(plain[position : position + len(inside)]))
        inside_seconds.append(median_seconds(inside))
        outside_seconds.append(median_seconds(outside))
        pauses.append(recorded["pause_seconds"])
        seen.append(len(inside))
    return Overhead(
        window_ratio=min(inside_seconds) / min(plain_seconds),
        window_ratios=tuple(map(operator.truediv, inside_seconds, plain_seconds)),
        outside_ratio=min(outside_seconds) / min(late_seconds),
        outside_ratios=tuple(map(operator.truediv, outside_seconds, late_seconds)),
        noise_ratio=(max(late_seconds) - min(late_seconds)) / statistics.median(late_seconds),
        window_steps=min(seen),
        step_seconds=statistics.median(plain_seconds),
        pause_seconds=max(pauses),
    )
