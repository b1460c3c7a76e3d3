"""What reading the resources of the host costs the machine, and what of it is in the script's process: nothing."""

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import attrs

WORKLOADS = Path(__file__).parents[2] / "workloads"
STARTING_SECONDS = 3.0
"""By then jax has all of its threads, and what the first readings took ahead of their budget is made up for."""
MEASURED_SECONDS = 10.0
COUNTS = """
import os
import jax.numpy as jnp

jnp.ones((64, 64)).sum().block_until_ready()
print(len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd")))
"""


@attrs.frozen
class ResourceFigures:
    """``core_ratio`` is the time that all of the sampler takes over one core, while a trace runs;
    ``more_threads`` and ``more_descriptors`` are what a script has with it and not without."""

    core_ratio: float
    seldom_core_ratio: float
    period_seconds: float
    threads: int
    more_threads: int
    more_descriptors: int


def watched() -> dict[str, float]:
    """The share of a core that a process takes which only samples a script of jax: run in a process of its own."""
    from scopelight.capture.resources.sampler import Sampler  # noqa: PLC0415
    from scopelight.model.host.resource_lines import read_resources  # noqa: PLC0415
    from scopelight.model.run.names import HOST_SAMPLES_FILE  # noqa: PLC0415

    script = [sys.executable, str(WORKLOADS / "plain_loop.py"), "--steps", "100000"]
    process = subprocess.Popen(script, stdout=subprocess.DEVNULL)
    try:
        with tempfile.TemporaryDirectory() as folder:
            sampler = Sampler(Path(folder), process.pid)
            sampler.start()
            sampler.look_closely(is_close=True)
            time.sleep(STARTING_SECONDS)
            close = share_of_a_core()
            sampler.look_closely(is_close=False)
            seldom = share_of_a_core()
            sampler.stop()
            read = read_resources(Path(folder) / HOST_SAMPLES_FILE)
    finally:
        process.kill()
        process.wait()
    closely = [each for each in read.readings_ns if each <= close["until_ns"]]
    gaps = sorted(after - before for before, after in pairwise(closely[20:]))
    return {
        "core_ratio": close["ratio"],
        "seldom_core_ratio": seldom["ratio"],
        "period_seconds": float(gaps[len(gaps) // 2]) / 1e9,
        "threads": len(read.threads),
    }


def share_of_a_core() -> dict[str, float]:
    """What this process takes of a core in the time to come."""
    began, spent = time.monotonic(), time.process_time()
    time.sleep(MEASURED_SECONDS)
    ratio = (time.process_time() - spent) / (time.monotonic() - began)
    return {"ratio": ratio, "until_ns": float(time.time_ns())}


def counts(python: Path, *options: str) -> list[int]:
    """How many threads and descriptors a script has that is captured so."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "counts.py"
        script.write_text(COUNTS)
        command = [python.parent / "scopelight", "run", "--no-calibration", "--out", Path(folder) / "run"]
        ran = subprocess.run(
            [*command, *options, "--python", python, script],
            env={**os.environ, "JAX_PLATFORMS": "cpu"},
            check=True,
            capture_output=True,
            text=True,
        )
    return [int(each) for each in ran.stdout.split()]


def measure(python: Path) -> ResourceFigures:
    """All of it."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run([python, __file__], check=True, env=environment, stdout=subprocess.PIPE, text=True)
    without, with_it = counts(python, "--no-resources"), counts(python)
    return ResourceFigures(
        **json.loads(ran.stdout), more_threads=with_it[0] - without[0], more_descriptors=with_it[1] - without[1]
    )


if __name__ == "__main__":
    print(json.dumps(watched()))
