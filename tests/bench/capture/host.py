"""What recording the host costs the script's steps: with and without it, in turns, in one process."""

import json
import statistics
import subprocess
from pathlib import Path

import attrs

FIRST_STEPS = 10
"""Among which what is hot goes dark; what comes later and lasts longer has other causes."""
PROCESSES = 25
"""In each of which that is seen once: their median counts, since what else happens in so few steps is as much."""
SHIM = Path(__file__).parents[3] / "daemon" / "agent" / "scopelight_agent" / "shim"


@attrs.frozen
class HostOverhead:
    """``ratio`` is the median over pairs of blocks of the median step with the recording over that without."""

    ratio: float
    ratios: tuple[float, ...]
    step_seconds: float

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


def measure(python: Path, kind: str, step_ms: float, pairs: int) -> HostOverhead:
    """In a process of ``python``, which has jax; ``kind``: "usual" steps or "hot" ones."""
    found = _pairs(python, kind, step_ms, pairs)
    ratios = [statistics.median(pair["recorded"]) / statistics.median(pair["plain"]) for pair in found]
    return HostOverhead(
        ratio=statistics.median(ratios),
        ratios=tuple(ratios),
        step_seconds=statistics.median(statistics.median(pair["plain"]) for pair in found),
    )


def measure_first_steps(python: Path, step_ms: float) -> float:
    """How many steps longer the first of a recording lasted than the others, less the same of a block without: steps
    that are half hot Python, in processes of their own."""
    firsts = [_pairs(python, "hot", step_ms, 1)[0] for _ in range(PROCESSES)]
    return statistics.median(_longer_at_first(pair["recorded"]) - _longer_at_first(pair["plain"]) for pair in firsts)


def _pairs(python: Path, kind: str, step_ms: float, pairs: int) -> list[dict[str, list[float]]]:
    script = Path(__file__).with_name("host_steps.py")
    command = [str(python), str(script), str(SHIM), str(step_ms), str(pairs), kind]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


def _longer_at_first(steps: list[float]) -> float:
    """How many steps longer the first ones lasted than as many of the others do."""
    usual = statistics.median(steps)
    return sum(each - usual for each in steps[:FIRST_STEPS]) / usual
