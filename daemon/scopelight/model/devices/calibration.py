"""Calibration: what was measured of the machine that a CPU profile was captured on."""

import math
from collections.abc import Mapping

import attrs

QUIET_RATIO = 0.2
"""Of the processors, what others may take while the machine is measured."""


@attrs.frozen(slots=True)
class Calibration:
    """Rates of all cores together: of matrix products by element type, and of copying main memory."""

    flops_per_s: Mapping[str, float]
    bytes_per_s: float | None
    memory_bytes: int | None
    cores: int
    """Cores that the process may run on."""
    machine: str
    """The CPU's name."""
    jax: str
    """Version of the jax that measured."""
    others_ratio: float | None = None
    """Share of the machine's processors that other processes took meanwhile; None where it is not known."""

    @property
    def is_disturbed(self) -> bool:
        """Whether others took so much that the machine can do notably more."""
        return self.others_ratio is not None and self.others_ratio > QUIET_RATIO

    @property
    def is_good(self) -> bool:
        """Whether it need not be made again: what is asked for most was measured, and undisturbed."""
        return "f32" in self.flops_per_s and self.bytes_per_s is not None and not self.is_disturbed


def read_calibration(value: object) -> Calibration | None:
    """A calibration as ``run.json`` and the cache hold it; None where it is none, or nothing in it is usable."""
    if not isinstance(value, dict):
        return None
    rates = value.get("flops_per_s")
    flops_per_s = {
        name: rate
        for name, each in (rates.items() if isinstance(rates, dict) else ())
        if isinstance(name, str) and (rate := _positive(each)) is not None
    }
    bytes_per_s = _positive(value.get("bytes_per_s"))
    if not flops_per_s and bytes_per_s is None:
        return None
    memory, cores = _positive(value.get("memory_bytes")), _positive(value.get("cores"))
    machine, jax = value.get("machine"), value.get("jax")
    return Calibration(
        flops_per_s=flops_per_s,
        bytes_per_s=bytes_per_s,
        memory_bytes=None if memory is None else int(memory),
        cores=1 if cores is None else max(1, int(cores)),
        machine=machine if isinstance(machine, str) else "",
        jax=jax if isinstance(jax, str) else "",
        others_ratio=_positive(value.get("others_ratio")),
    )


def _positive(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) and number > 0 else None
