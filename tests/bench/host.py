"""What recording the host costs the script's steps: with and without it, in turns, in one process."""

import json
import statistics
import subprocess
from pathlib import Path

import attrs

SHIM = Path(__file__).parents[2] / "daemon" / "scopelight" / "capture" / "shim"


@attrs.frozen
class HostOverhead:
    """Of steps that are half a program and half Python. ``ratio`` is the median over pairs of blocks of the median step
    with the recording over that without; ``first_steps`` how many steps the first recording cost in all."""

    ratio: float
    ratios: tuple[float, ...]
    step_seconds: float
    first_steps: float

    @property
    def quartiles(self) -> tuple[float, float]:
        """Between which the middle half of the pairs lies."""
        ordered = sorted(self.ratios)
        return ordered[len(ordered) // 4], ordered[3 * len(ordered) // 4]


def version_of(python: Path) -> tuple[int, int]:
    """Of an interpreter."""
    told = subprocess.run([str(python), "--version"], capture_output=True, text=True, check=True).stdout
    major, minor = told.split()[1].split(".")[:2]
    return int(major), int(minor)


def measure(python: Path, step_ms: float, pairs: int) -> HostOverhead:
    """In a process of ``python``, which has jax."""
    script = Path(__file__).with_name("host_steps.py")
    command = [str(python), str(script), str(SHIM), str(step_ms), str(pairs)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(ran.stdout)
    ratios = [statistics.median(pair["recorded"]) / statistics.median(pair["plain"]) for pair in found]
    plain_seconds = statistics.median(statistics.median(pair["plain"]) for pair in found)
    first = found[0]["recorded"]
    return HostOverhead(
        ratio=statistics.median(ratios),
        ratios=tuple(ratios),
        step_seconds=plain_seconds,
        first_steps=(sum(first) - len(first) * statistics.median(first)) / plain_seconds,
    )
