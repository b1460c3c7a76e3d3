"""How well an op used the device: its rates over the peaks, and which of them the roofline limits it by."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

import attrs

from scopelight.model.devices.peaks import Peaks

COMPUTE = "compute"
MAIN = "main"
"""The memory space of a bandwidth that names none."""

_PS_PER_S = 10**12
_ASYNCHRONOUS = ("-start", "-update", "-done")
"""How the opcodes of asynchronous ops end."""
_NEGLIGIBLE_RATIO = 0.01
"""FLOPs whose peak is not known count for nothing where they are less of all: the counters of loops, say."""
Number = TypeVar("Number", int, float)
_GREATEST = 10**200
"""Work beyond that is that much; only a hostile file has it, and floating point ends there."""


@attrs.frozen(slots=True)
class Utilisation:
    """What of ``wall_ps`` the work would take at each peak: ``seconds`` by ``compute`` and by memory space.

    Seconds add up over ops, as shares do not. A limit whose work or peak is not known is absent.
    """

    seconds: Mapping[str, float]
    wall_ps: int
    lacks_compute_peak: bool = False
    """It computes something whose peak is not known, which may be what it is bound by: more of compute was used than
    is known."""
    is_beside: bool = False
    """The work goes on beside other ops and not in this time alone: it has no rates, but counts in sums."""

    @property
    def flop_ratio(self) -> float | None:
        """FLOPs per second over the peak; None where one is not known."""
        return self.ratio(COMPUTE)

    @property
    def bandwidth_ratio(self) -> float | None:
        """Bandwidth of main memory over the peak; None where one is not known."""
        return self.ratio(MAIN)

    @property
    def greatest_ratio(self) -> float | None:
        """The share of the peak of what the work is bound by; None where that is not known."""
        if self._may_be_bound_by_more:
            return None
        return max((ratio for limit in self.seconds if (ratio := self.ratio(limit)) is not None), default=None)

    @property
    def bound_by(self) -> str | None:
        """The limit that the work comes nearest to; None where it has none, or one that may be nearer is not known."""
        if self._may_be_bound_by_more or self.is_beside:
            return None
        greatest = self._greatest
        return greatest if greatest is not None and self.wall_ps > 0 and self.seconds[greatest] > 0 else None

    @property
    def _greatest(self) -> str | None:
        return max(self.seconds, key=lambda each: self.seconds[each], default=None)

    @property
    def _may_be_bound_by_more(self) -> bool:
        # More of what is the greatest already changes nothing.
        return self.lacks_compute_peak and self._greatest != COMPUTE

    def ratio(self, limit: str) -> float | None:
        """The share of the peak of one limit; None where one is not known, or no time went by.

        More than 1 where the op was faster than the peak says: its data was in caches, say.
        """
        seconds = self.seconds.get(limit)
        if seconds is None or self.wall_ps <= 0 or (self.is_beside and seconds):
            return None
        return seconds / self.wall_ps * _PS_PER_S

    def wasted_ps(self, self_ps: int) -> int | None:
        """The self time times one less the better of the shares of computation and main memory (XProf's rule).

        None where either may be more than is known.
        """
        if self.is_beside or self.lacks_compute_peak:
            return None
        known = [ratio for ratio in (self.flop_ratio, self.bandwidth_ratio) if ratio is not None]
        return round(self_ps * max(0.0, 1 - max(known))) if known else None

    def part(self, ratio: float, wall_ps: int) -> "Utilisation":
        """That of a part of the work, in its part of the time."""
        seconds = {limit: seconds * ratio for limit, seconds in self.seconds.items()}
        return attrs.evolve(self, seconds=seconds, wall_ps=wall_ps)


def utilisation(
    flops: int | None,
    bytes_by_space: Mapping[str, int] | None,
    element_type: str,
    wall_ps: int,
    peaks: Peaks | None,
) -> Utilisation:
    """Utilisation of an op that computed and moved this much in ``wall_ps`` of wall clock.

    What computes nothing needs no peak of its type: its share is 0.
    """
    if peaks is None:
        return Utilisation({}, wall_ps)
    seconds: dict[str, float] = {}
    compute = _seconds(flops, peaks.flops_per_s_of(element_type))
    if compute is not None:
        seconds[COMPUTE] = compute
    elif flops == 0 and peaks.flops_per_s:
        seconds[COMPUTE] = 0.0
    for space, peak_bytes_per_s in peaks.bytes_per_s.items():
        moving = None if bytes_by_space is None else _seconds(bytes_by_space.get(space, 0), peak_bytes_per_s)
        if moving is not None:
            seconds[space] = moving
    return Utilisation(seconds, wall_ps, lacks_compute_peak=bool(flops) and COMPUTE not in seconds)


def goes_on_beside(opcode: str, used: Utilisation, moved: int | None, peaks: Peaks | None) -> bool:
    """Whether an op of ``opcode`` only starts or awaits its work, which takes longer than the op itself.

    That is so where it would be faster than any peak: on some devices such an op is all of the work, and is as slow.
    """
    if peaks is None or not opcode.endswith(_ASYNCHRONOUS):
        return False
    if any((used.ratio(limit) or 0.0) > 1 for limit in used.seconds):
        return True
    greatest = max(peaks.bytes_per_s.values(), default=None)
    return bool(moved and greatest) and (moved or 0) * _PS_PER_S > (greatest or 0) * used.wall_ps


def lacks_peak(flops: int | None, flops_without_peak: int) -> bool:
    """Whether so many of an amount of FLOPs have no known peak that shares of it are less than what was used."""
    return flops_without_peak > (flops or 0) * _NEGLIGIBLE_RATIO


def together(parts: Iterable[Utilisation]) -> Utilisation:
    """Utilisation of several: what is not known of one counts as nothing, so that the sum is at least that."""
    seconds: dict[str, float] = {}
    wall_ps = 0
    for part in parts:
        wall_ps += part.wall_ps
        for limit, each in part.seconds.items():
            seconds[limit] = seconds.get(limit, 0.0) + each
    return Utilisation(seconds, wall_ps)


def _seconds(amount: int | None, peak_per_s: float | None) -> float | None:
    return None if amount is None or not peak_per_s else min(amount, _GREATEST) / peak_per_s


def added(total: Number | None, part: Number | None) -> Number | None:
    """The sum of what is known of the two, None where neither is."""
    if total is None or part is None:
        return part if total is None else total
    return total + part
