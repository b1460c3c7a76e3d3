"""Clocks: by how much those of hosts differ, with the error of it, from collectives that several of them took part in.

Nobody leaves an all-reduce, all-gather, reduce-scatter or all-to-all before everybody has come. With an offset o to be
added to each host's clock, a host's first departure e and another's last arrival s: e + o >= s' + o'. Every such
inequality bounds the difference of two offsets; the bounds are followed over all hosts.
"""

import attrs
import numpy as np

from scopelight.formats.columns import Float64, Int32, Int64
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances

UNBOUNDED_PS = np.int64(2**61)
"""So far off that nothing is known."""
WIDE_PS = 10**9
"""Half of an interval that is so wide that the ends of collectives tell more than its middle: 1 ms."""


@attrs.frozen(eq=False, repr=False)
class Clocks:
    """By host what is to be added to its clock, int64[hosts], and by how much that may be wrong (-1: nothing is known,
    and nothing is added); the first host's clock, if it met any other, is the one that all are held against.

    ``is_consistent``: there are offsets with which nobody leaves before all have come. Without, clocks have drifted.
    """

    offset_ps: Int64
    error_ps: Int64
    is_consistent: bool = True

    @property
    def applied_ps(self) -> Int64:
        """What is added: no clock is moved by less than what may be wrong about it."""
        is_sure = (self.error_ps >= 0) & (np.abs(self.offset_ps) > self.error_ps)
        return np.where(is_sure, self.offset_ps, 0)


@attrs.frozen(eq=False, repr=False)
class _Meetings:
    """Columns of equal length, one row per host and group that met, sorted by ``meeting``."""

    meeting: Int64
    host: Int32
    last_arrival_ps: Int64
    first_departure_ps: Int64


def clocks_of(instances: Instances, host_of_device: Int32, hosts: int) -> Clocks:
    """The offsets of ``hosts`` hosts; ``host_of_device`` is by column of the instances."""
    meetings = _meetings(instances, host_of_device)
    nothing = np.zeros(hosts, dtype=np.int64)
    error_ps = np.where(np.arange(hosts) == 0, 0, -1).astype(np.int64)
    if not len(meetings.meeting):
        return Clocks(nothing, error_ps)
    met = np.bincount(meetings.host, minlength=hosts)
    # One that met nobody, or little of whose trace is left, says nothing of the others.
    reference = 0 if met[0] else int(met.argmax())
    error_ps = np.where(np.arange(hosts) == reference, 0, -1).astype(np.int64)
    low_ps, high_ps, is_consistent = _bounds(meetings, hosts, reference)
    known = (low_ps > -UNBOUNDED_PS) & (high_ps < UNBOUNDED_PS)
    middle_ps = (low_ps + high_ps) // 2
    half_ps = np.abs(high_ps - low_ps) // 2 + 1
    offset_ps = np.where(known, middle_ps, 0)
    for host in np.flatnonzero(known & (half_ps > WIDE_PS)).tolist():
        ends_ps = _end_differences(meetings, host, reference)
        if len(ends_ps):
            least, most = sorted((int(low_ps[host]), int(high_ps[host])))
            offset_ps[host] = min(max(round(float(np.median(ends_ps))), least), most)
    error_ps = np.where(known, np.maximum(np.abs(high_ps - offset_ps), np.abs(offset_ps - low_ps)), -1)
    offset_ps[reference] = error_ps[reference] = 0
    return Clocks(offset_ps, error_ps, is_consistent)


def _meetings(instances: Instances, host_of_device: Int32) -> _Meetings:
    rows = np.flatnonzero(instances.is_barrier)
    group = instances.group[instances.op[rows]].astype(np.int64)
    arrival_ps, departure_ps = instances.arrival_ps[rows], instances.departure_ps[rows]
    groups = int(group.max(initial=0)) + 1
    hosts = int(host_of_device.max(initial=0)) + 1
    cell = (np.arange(len(rows))[:, None] * groups + group) * hosts + host_of_device
    took_part = arrival_ps != ABSENT_PS
    cells, arrival_ps, departure_ps = cell[took_part], arrival_ps[took_part], departure_ps[took_part]
    order = np.argsort(cells, kind="stable")
    cells = cells[order]
    firsts = np.flatnonzero(np.append(True, np.diff(cells) != 0)) if len(cells) else np.zeros(0, dtype=np.int64)
    if not len(firsts):
        nothing = np.zeros(0, dtype=np.int64)
        return _Meetings(nothing, nothing.astype(np.int32), nothing, nothing)
    last_ps = np.maximum.reduceat(arrival_ps[order], firsts)
    first_ps = np.minimum.reduceat(departure_ps[order], firsts)
    meeting = cells[firsts] // hosts
    _, number, size = np.unique(meeting, return_inverse=True, return_counts=True)
    several = size[number] > 1
    return _Meetings(
        np.unique(meeting[several], return_inverse=True)[1],
        (cells[firsts] % hosts).astype(np.int32)[several],
        last_ps[several],
        first_ps[several],
    )


def _bounds(meetings: _Meetings, hosts: int, reference: int) -> tuple[Int64, Int64, bool]:
    """The least and the greatest offset of each host, where the first has none, by paths over all others.

    They are the shortest paths of a graph (Bellman and Ford), in which each meeting is a node between its hosts.
    """
    if not len(meetings.meeting):
        unknown = np.full(hosts, UNBOUNDED_PS)
        return -unknown, unknown, True
    meeting, host = meetings.meeting, meetings.host
    firsts = np.flatnonzero(np.append(True, np.diff(meeting) != 0))
    low_ps, high_ps = np.full(hosts, -UNBOUNDED_PS), np.full(hosts, UNBOUNDED_PS)
    low_ps[reference] = high_ps[reference] = 0
    for _ in range(hosts + 1):
        before = low_ps.copy(), high_ps.copy()
        # o' <= o + e - s', by the least of o + e in each meeting; o >= s' + o' - e, by the greatest of s' + o'.
        leaves_ps = _saturated(high_ps[host], meetings.first_departure_ps, UNBOUNDED_PS)
        comes_ps = _saturated(low_ps[host], meetings.last_arrival_ps, -UNBOUNDED_PS)
        earliest_ps = np.minimum.reduceat(leaves_ps, firsts)[meeting]
        latest_ps = np.maximum.reduceat(comes_ps, firsts)[meeting]
        least_ps = _saturated(earliest_ps, -meetings.last_arrival_ps, UNBOUNDED_PS)
        most_ps = _saturated(latest_ps, -meetings.first_departure_ps, -UNBOUNDED_PS)
        np.minimum.at(high_ps, host, least_ps)
        np.maximum.at(low_ps, host, most_ps)
        if np.array_equal(before[0], low_ps) and np.array_equal(before[1], high_ps):
            return low_ps, high_ps, bool(np.all(low_ps <= high_ps))
    return low_ps, high_ps, False


def _saturated(bound_ps: Int64, time_ps: Int64, unbounded_ps: np.int64) -> Int64:
    """Sums of bounds and times; what is unbounded stays so."""
    is_unbounded = bound_ps >= unbounded_ps if unbounded_ps > 0 else bound_ps <= unbounded_ps
    return np.where(is_unbounded, unbounded_ps, bound_ps + time_ps)


def _end_differences(meetings: _Meetings, host: int, reference: int) -> Float64:
    """How much earlier a host left than the reference did, of all meetings of both."""
    own = meetings.host == host
    others = meetings.host == reference
    _, mine, theirs = np.intersect1d(meetings.meeting[own], meetings.meeting[others], return_indices=True)
    ends_ps = meetings.first_departure_ps[others][theirs] - meetings.first_departure_ps[own][mine]
    found: Float64 = ends_ps.astype(np.float64)
    return found
