"""How well an op used the device: its rates over the peaks, and which of them the roofline limits it by."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

import attrs

from scopelight.model.devices.peaks import Peaks

COMPUTE = "compute"
MAIN = "main"
"""The memory space of a bandwidth that names none."""
_MAY_BOUND = (MAIN, "host")
"""Memory spaces that may be what an op is bound by. Inner memories are faster than these two, and what is in them was
mostly moved in one of these first: without a peak of theirs a bound is known all the same."""

_PS_PER_S = 10**12
_ASYNCHRONOUS = ("-start", "-update", "-done")
"""How the opcodes of asynchronous ops end."""
_NEGLIGIBLE_RATIO = 0.01
"""FLOPs whose peak is not known count for nothing where they are less of all: the counters of loops, say. So does the
time of ops of which something is not known."""
LEAST_EXCESS_RATIO = 0.0005
"""Less above the peak than this is written as all of it."""
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
    unknown: frozenset[str] = frozenset()
    """Limits that it may use more of than is known: how much it computes or moves, or the bandwidth, is not known."""
    awaited: frozenset[str] = frozenset()
    """Limits of which nothing is known that what it only awaits may be bound by."""
    is_beside: bool = False
    """The work goes on beside other ops and not in this time alone: it has no rates, but counts in sums."""

    @property
    def flop_ratio(self) -> float | None:
        """FLOPs per second over the peak; None where one is not known."""
        return self.ratio(COMPUTE)

    @property
    def bandwidth_ratio(self) -> float | None:
        """Bandwidth of main memory over the peak; None where one is not known, or all that moves is in memories whose
        peaks are not."""
        return None if self.unknown and self.seconds.get(MAIN) == 0 else self.ratio(MAIN)

    @property
    def greatest_ratio(self) -> float | None:
        """The share of the peak of what the work is bound by; None where that is not known."""
        if self._may_be_bound_by_more:
            return None
        return max((ratio for limit in self.seconds if (ratio := self.ratio(limit)) is not None), default=None)

    @property
    def bound_by(self) -> str | None:
        """The limit that the work comes nearest to; None where it has none, or one that may be nearer is not known.

        None as well where a memory's rate exceeds its peak: the bytes were in caches, or were not all moved, and that
        memory did not limit them.
        """
        if self._may_be_bound_by_more or self.is_beside:
            return None
        greatest = self._greatest
        if greatest is None or self.wall_ps <= 0 or self.seconds[greatest] <= 0:
            return None
        return None if greatest != COMPUTE and self.exceeds(greatest) else greatest

    def exceeds(self, limit: str) -> bool:
        """Whether the work was faster than the peak of a limit, by more than is lost in writing it."""
        return (self.ratio(limit) or 0.0) > 1 + LEAST_EXCESS_RATIO

    @property
    def _greatest(self) -> str | None:
        return max(self.seconds, key=lambda each: self.seconds[each], default=None)

    @property
    def _may_be_bound_by_more(self) -> bool:
        # More of what is the greatest already changes nothing.
        greatest = self._greatest
        return (self.lacks_compute_peak and greatest != COMPUTE) or any(
            limit != greatest for limit in self.unknown | self.awaited
        )

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
        if self.is_beside or self.lacks_compute_peak or self.unknown:
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
    awaited_by_space: Mapping[str, int] | None = None,
) -> Utilisation:
    """Utilisation of an op that computed and moved this much in ``wall_ps`` of wall clock.

    What computes nothing needs no peak of its type, and what moves nothing no bandwidth: its share is 0.
    ``awaited_by_space`` is what was moved by the op that it awaits the end of: it may be bound by that as well.
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
    unknown = {MAIN} if bytes_by_space is None else _without_peak(bytes_by_space, seconds)
    if flops is None:
        unknown.add(COMPUTE)
    awaited = frozenset(_without_peak(awaited_by_space or {}, seconds))
    return Utilisation(seconds, wall_ps, bool(flops) and COMPUTE not in seconds, frozenset(unknown), awaited)


def _without_peak(bytes_by_space: Mapping[str, int], known: Mapping[str, float]) -> set[str]:
    return {space for space in _MAY_BOUND if bytes_by_space.get(space) and space not in known}


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
    sums = UtilisationSums()
    for part in parts:
        sums.add(part)
    return sums.utilisation


@attrs.define(slots=True, eq=False)
class UtilisationSums:
    """Utilisations while they are being added up."""

    seconds: dict[str, float] = attrs.field(factory=dict)
    wall_ps: int = 0
    _unknown_ps: dict[str, int] = attrs.field(factory=dict)
    """By limit the wall clock of what may use more of it than is known."""
    _awaited_ps: dict[str, int] = attrs.field(factory=dict)
    """By limit the wall clock of what awaits what may be bound by it."""

    def add(self, part: Utilisation) -> None:
        """Count one."""
        self.wall_ps += part.wall_ps
        for limit, each in part.seconds.items():
            self.seconds[limit] = self.seconds.get(limit, 0.0) + each
        for limit in part.unknown:
            self._unknown_ps[limit] = self._unknown_ps.get(limit, 0) + part.wall_ps
        for limit in part.awaited:
            self._awaited_ps[limit] = self._awaited_ps.get(limit, 0) + part.wall_ps

    @property
    def utilisation(self) -> Utilisation:
        """Of all that were added. What is not known of a negligible part of the time is as though it were nothing."""
        least_ps = self.wall_ps * _NEGLIGIBLE_RATIO
        unknown, awaited = (
            frozenset(limit for limit, time_ps in each.items() if time_ps > least_ps)
            for each in (self._unknown_ps, self._awaited_ps)
        )
        return Utilisation(self.seconds, self.wall_ps, unknown=unknown, awaited=awaited)


def _seconds(amount: int | None, peak_per_s: float | None) -> float | None:
    return None if amount is None or not peak_per_s else min(amount, _GREATEST) / peak_per_s


def added(total: Number | None, part: Number | None) -> Number | None:
    """The sum of what is known of the two, None where neither is."""
    if total is None or part is None:
        return part if total is None else total
    return total + part
