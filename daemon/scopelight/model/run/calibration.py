"""Calibration: what was measured of the machine that a CPU profile was captured on."""

from collections.abc import Mapping

import attrs

QUIET_RATIO = 0.2
"""Of the processors, what others may take while the machine is measured."""

ESSENTIAL = ("f32", "bandwidth")
"""What a calibration is for: without one of them it is not known what bounds an op."""


def _positive_rates(rates: Mapping[str, float]) -> Mapping[str, float]:
    return {name: rate for name, rate in rates.items() if rate > 0}


def _positive(rate: float | None) -> float | None:
    return rate or None


def _at_least_one(cores: int) -> int:
    return max(1, cores)


@attrs.frozen(slots=True)
class Calibration:
    """Rates of all cores together: of matrix products by element type, and of copying main memory and in caches.

    A rate of 0 counts as not measured. Raises ValueError where no rate was measured at all.
    """

    flops_per_s: Mapping[str, float] = attrs.field(factory=dict, converter=_positive_rates)
    bytes_per_s: float | None = attrs.field(default=None, converter=_positive)
    memory_bytes: int | None = None
    cores: int = attrs.field(default=1, converter=_at_least_one)
    """Cores that the process may run on."""
    machine: str = ""
    """The CPU's name."""
    jax: str = ""
    """Version of the jax that measured."""
    cache_bytes_per_s: float | None = attrs.field(default=None, converter=_positive)
    """Of copying what the caches of each core hold: faster than main memory, and no limit of any op."""
    others_ratio: float | None = None
    """Share of the machine's processors that other processes took meanwhile; None where it is not known."""

    def __attrs_post_init__(self) -> None:
        if not self.flops_per_s and self.bytes_per_s is None:
            raise ValueError("a calibration needs a rate")

    @property
    def is_disturbed(self) -> bool:
        """Whether others took so much that the machine can do notably more."""
        return self.others_ratio is not None and self.others_ratio > QUIET_RATIO

    @property
    def is_good(self) -> bool:
        """Whether it need not be made again: what is asked for most was measured, and undisturbed."""
        return not self.lacking and not self.is_disturbed

    @property
    def lacking(self) -> tuple[str, ...]:
        """What is asked for most and was not measured: ``f32``, the rate of its products, and ``bandwidth``."""
        has = {"f32": "f32" in self.flops_per_s, "bandwidth": self.bytes_per_s is not None}
        return tuple(name for name in ESSENTIAL if not has[name])
