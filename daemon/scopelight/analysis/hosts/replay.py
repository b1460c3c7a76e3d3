"""Replay: how long the steps would take if a host, a device or the links were like the others.

Each device launches a run, works until it comes to a collective, leaves that once the last of its group has come and
the data has moved, and works on. Recorded times replayed give what was measured. Then the launches, the work, or both,
of some devices are replaced by the median of the others at the same place, where they were longer, and the replay says
when the last run would have ended.
"""

# ruff: noqa: PLR0912

from collections.abc import Iterator

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances
from scopelight.model.rendezvous.senders import waited_for_receiver

UNKNOWN_PS = np.int64(2**62)
"""A bound where there is nothing to compare with: what was recorded stays."""


@attrs.frozen(eq=False, repr=False)
class DeviceRuns:
    """When each run of a program began and ended on each device, int64[moments, devices]; `ABSENT_PS` where a device
    did not run it. Their rows are the moments of instances."""

    start_ps: Int64
    end_ps: Int64


@attrs.frozen
class Cost:
    """What the steps cost because of some devices, in ps over all of them: all of it, and for either reason alone."""

    total_ps: int
    launched_late_ps: int
    worked_longer_ps: int


@attrs.frozen(eq=False, repr=False)
class Bounds:
    """The most that chosen devices take at each place: before a run, before a collective, and after the last of it."""

    gap_ps: Int64
    work_ps: Int64
    tail_ps: Int64


class Replay:
    """The instances of a window, ready to be replayed with other times."""

    def __init__(self, instances: Instances, runs: DeviceRuns) -> None:
        self._instances, self._runs = instances, runs
        self._is_edge = instances.is_point_to_point
        devices, moments = instances.devices, len(runs.start_ps)
        self._groups = int(instances.group.max(initial=0)) + 1
        # Before each run and before each collective of a device, and from the last of a run to its end.
        self._gap_ps, self._tail_ps = (np.full((moments, devices), ABSENT_PS, dtype=np.int64) for _ in range(2))
        self._work_ps = np.full(instances.arrival_ps.shape, ABSENT_PS, dtype=np.int64)
        columns = (instances.moment, instances.awaited_ps, instances.departure_ps, runs.start_ps, runs.end_ps)
        _segments(*columns, np.full(devices, -1, dtype=np.int64), self._gap_ps, self._work_ps, self._tail_ps)
        self._nobody = np.zeros(devices, dtype=np.bool_)
        unbounded, of_rows = np.full(moments, UNKNOWN_PS), np.full(len(instances), UNKNOWN_PS)
        self._unbounded = Bounds(unbounded, of_rows, unbounded)
        self.measured_ps: int = self._end_ps(self._nobody, self._unbounded)
        """When the last run ended, as recorded."""

    def cost_of(self, chosen: Bool) -> Cost:
        """What the devices that are ``chosen`` cost for being unlike the others; nothing where there are no others."""
        if chosen.all() or not chosen.any():
            return Cost(0, 0, 0)
        both = self._medians(chosen)
        late = attrs.evolve(self._unbounded, gap_ps=both.gap_ps)
        longer = attrs.evolve(both, gap_ps=self._unbounded.gap_ps)
        total, launched, worked = (self.measured_ps - self._end_ps(chosen, each) for each in (both, late, longer))
        return Cost(total, launched, worked)

    def cost_of_moving(self, most_move_ps: Int64) -> int:
        """What it costs that collectives move for longer than ``most_move_ps``, int64[rows, devices]."""
        return self.measured_ps - self._end_ps(self._nobody, self._unbounded, most_move_ps)

    def excess_ps(self, unit_of_device: Int32, units: int) -> Int64:
        """By unit how much longer its devices took than the median device: a quick sign of what is worth replaying."""
        found = np.zeros(units, dtype=np.int64)
        for _, _, taken_ps, took_part in self._places():
            if not took_part.any():
                continue
            usual_ps = int(np.median(taken_ps[took_part]))
            of_units = np.zeros(units, dtype=np.int64)
            np.maximum.at(of_units, unit_of_device, np.where(took_part, taken_ps - usual_ps, 0))
            found += of_units
        return found

    def _places(self) -> Iterator[tuple[str, int, Int64, Bool]]:
        for name, table in (("gap", self._gap_ps), ("work", self._work_ps), ("tail", self._tail_ps)):
            for row, taken_ps in enumerate(table):
                yield name, row, taken_ps, taken_ps != ABSENT_PS

    def _medians(self, chosen: Bool) -> Bounds:
        found = Bounds(*(each.copy() for each in attrs.astuple(self._unbounded, recurse=False)))
        of_name = {"gap": found.gap_ps, "work": found.work_ps, "tail": found.tail_ps}
        others = ~chosen
        for name, row, taken_ps, took_part in self._places():
            compared = taken_ps[took_part & others]
            if len(compared):
                of_name[name][row] = int(np.median(compared))
        return found

    def _end_ps(self, chosen: Bool, bounds: Bounds, most_move_ps: Int64 | None = None) -> int:
        instances = self._instances
        now_ps, moment = np.zeros(instances.devices, dtype=np.int64), np.full(instances.devices, -1, dtype=np.int64)
        scratch = np.zeros((4, max(self._groups, instances.devices)), dtype=np.int64)
        _replay(
            instances.op,
            instances.moment,
            self._is_edge,
            instances.arrival_ps,
            instances.awaited_ps,
            instances.departure_ps,
            instances.group,
            instances.source,
            instances.target,
            instances.sent_row,
            instances.doubt_ps,
            self._runs.start_ps,
            self._gap_ps,
            self._work_ps,
            self._tail_ps,
            chosen,
            bounds.gap_ps,
            bounds.work_ps,
            bounds.tail_ps,
            most_move_ps if most_move_ps is not None else np.zeros((0, 0), dtype=np.int64),
            now_ps,
            moment,
            scratch,
        )
        ran = moment >= 0
        last = np.flatnonzero(ran)
        tails_ps = self._tail_ps[moment[last], last]
        tails_ps = np.where(chosen[last], np.minimum(tails_ps, bounds.tail_ps[moment[last]]), tails_ps)
        return int((now_ps[last] + tails_ps).max()) if len(last) else 0


@kernel
def _segments(
    moment: Int64,
    awaited: Int64,
    departure: Int64,
    start: Int64,
    end: Int64,
    current: Int64,
    gap: Int64,
    work: Int64,
    tail: Int64,
) -> int:
    rows, devices = awaited.shape
    for row in range(rows):
        of = moment[row]
        for device in range(devices):
            if awaited[row, device] == ABSENT_PS:
                continue
            before = current[device]
            if before >= 0 and moment[before] == of:
                work[row, device] = awaited[row, device] - departure[before, device]
            else:
                if before >= 0:
                    earlier = moment[before]
                    tail[earlier, device] = end[earlier, device] - departure[before, device]
                    gap[of, device] = start[of, device] - end[earlier, device]
                work[row, device] = awaited[row, device] - start[of, device]
            current[device] = row
    for device in range(devices):
        before = current[device]
        if before >= 0:
            tail[moment[before], device] = end[moment[before], device] - departure[before, device]
    return 0


@kernel
def _replay(
    op: Int32,
    moment: Int64,
    is_edge: Bool,
    arrival: Int64,
    awaited: Int64,
    departure: Int64,
    group: Int32,
    source: Int32,
    target: Int32,
    sent: Int64,
    doubt: Int64,
    start: Int64,
    gap: Int64,
    work: Int64,
    tail: Int64,
    chosen: Bool,
    most_gap: Int64,
    most_work: Int64,
    most_tail: Int64,
    most_move: Int64,
    now: Int64,
    current: Int64,
    scratch: Int64,
) -> int:
    rows, devices = arrival.shape
    for row in range(rows):
        of, collective = moment[row], op[row]
        for device in range(devices):
            if arrival[row, device] == ABSENT_PS:
                continue
            if current[device] != of:
                if current[device] < 0:
                    now[device] = start[of, device]
                else:
                    after, before = tail[current[device], device], gap[of, device]
                    if chosen[device]:
                        after, before = min(after, most_tail[current[device]]), min(before, most_gap[of])
                    now[device] += after + before
                current[device] = of
            taken = work[row, device]
            if chosen[device]:
                taken = min(taken, most_work[row])
            now[device] += taken
        for device in range(devices):
            scratch[0, group[collective, device]] = ABSENT_PS
            scratch[1, group[collective, device]] = ABSENT_PS
        for device in range(devices):
            if arrival[row, device] == ABSENT_PS:
                continue
            comes = now[device] - (awaited[row, device] - arrival[row, device])
            scratch[2, device] = comes
            at = group[collective, device]
            scratch[0, at] = max(scratch[0, at], comes)
            scratch[1, at] = max(scratch[1, at], arrival[row, device])
        for device in range(devices):
            if arrival[row, device] == ABSENT_PS:
                continue
            at = group[collective, device]
            last, last_recorded = scratch[0, at], scratch[1, at]
            if is_edge[row]:
                last, last_recorded = scratch[2, device], arrival[row, device]
                sender = source[collective, device]
                # What another op has sent comes when it came: sends are not replayed beside receives.
                if sender >= 0 and sent[row] == row and arrival[row, sender] != ABSENT_PS:
                    last = max(last, scratch[2, sender])
                    last_recorded = max(last_recorded, arrival[row, sender])
                receiver = target[collective, device]
                if (
                    receiver >= 0
                    and sent[row] == row
                    and waited_for_receiver(
                        last_recorded, arrival[row, receiver], departure[row, device], doubt[collective, device]
                    )
                ):
                    last, last_recorded = max(last, scratch[2, receiver]), arrival[row, receiver]
            moves = departure[row, device] - last_recorded
            if len(most_move):
                moves = min(moves, most_move[row, device])
            scratch[3, device] = max(now[device], last + moves)
        for device in range(devices):
            if arrival[row, device] != ABSENT_PS:
                now[device] = scratch[3, device]
    return 0
