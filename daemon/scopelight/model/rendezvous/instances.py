"""Instances: what met, as a table of collectives by devices, in the order in which it ran."""

from functools import cached_property

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.joins import dense_ids
from scopelight.model.rendezvous.collectives import CollectiveOp, Collectives

ABSENT_PS = np.iinfo(np.int64).min
"""The time of a device that took no part."""


@attrs.frozen(eq=False, repr=False)
class Instances:
    """One row per execution of a collective in all devices, in the order in which they ran; one column per device.

    ``op`` is a row of ``ops``, ``moment`` the number of the run of its program. ``arrival_ps``, ``awaited_ps`` and
    ``departure_ps`` are int64[rows, devices], `ABSENT_PS` where a device took no part: when it came, when it began to
    do nothing but wait (later than it came where the collective runs asynchronously), and when it left. ``group`` and
    ``size`` are int32[ops, devices], and ``source`` too, as rows of devices (-1: none). ``place`` is by execution of a
    collective its row here (-1: it ran in no known run). ``occurrence`` counts the rows of an op in one moment.
    ``doubt_ps`` is int64[ops, devices]: how far the times of a device and of the one that it sends to may be off.
    """

    op: Int32
    moment: Int64
    arrival_ps: Int64
    awaited_ps: Int64
    departure_ps: Int64
    ops: tuple[CollectiveOp, ...]
    group: Int32
    size: Int32
    source: Int32
    place: Int64
    occurrence: Int32
    doubt_ps: Int64 = attrs.field()

    @doubt_ps.default
    def _no_doubt(self) -> Int64:
        return np.zeros(self.source.shape, dtype=np.int64)

    def __len__(self) -> int:
        return len(self.op)

    @property
    def devices(self) -> int:
        """How many columns there are."""
        return int(self.arrival_ps.shape[1])

    @cached_property
    def sent_row(self) -> Int64:
        """By row the one in which senders came: its own, or of a receive that of its send; -1 where there is none."""
        found = np.arange(len(self), dtype=np.int64)
        kinds = [each.kind for each in self.ops]
        if "recv" not in kinds:
            return found
        keys = [(op.program, op.channel) for op in self.ops]
        of_row = list(zip(self.op.tolist(), self.moment.tolist(), self.occurrence.tolist(), strict=True))
        sends = {(keys[op], *when): row for row, (op, *when) in enumerate(of_row) if kinds[op] == "send"}
        for row, (op, *when) in enumerate(of_row):
            if kinds[op] == "recv":
                found[row] = sends.get((keys[op], *when), -1)
        return found

    @cached_property
    def target(self) -> Int32:
        """Int32[ops, devices], as rows of devices: to which each sends (-1: none)."""
        found = np.full(self.source.shape, -1, dtype=np.int32)
        ops, devices = np.nonzero(self.source >= 0)
        found[ops, self.source[ops, devices]] = devices
        return found

    @property
    def took_part(self) -> Bool:
        """By row and device whether it took part."""
        found: Bool = self.arrival_ps != ABSENT_PS
        return found

    @property
    def is_barrier(self) -> Bool:
        """By row whether nobody leaves it before all have come."""
        return self._of_ops("is_barrier")

    @property
    def is_point_to_point(self) -> Bool:
        """By row whether those that receive wait for one other only."""
        return self._of_ops("is_point_to_point")

    def _of_ops(self, name: str) -> Bool:
        of_ops = np.array([getattr(each, name) for each in self.ops], dtype=np.bool_)
        found: Bool = of_ops[self.op] if len(self.ops) else np.zeros(0, dtype=np.bool_)
        return found

    def moved(self, offset_ps: Int64) -> "Instances":
        """The same with each device's clock moved by ``offset_ps``, int64[devices], again in order of time."""
        took_part = self.took_part

        def moved(times_ps: Int64) -> Int64:
            return np.where(took_part, times_ps + offset_ps, ABSENT_PS)

        found = attrs.evolve(
            self,
            arrival_ps=moved(self.arrival_ps),
            awaited_ps=moved(self.awaited_ps),
            departure_ps=moved(self.departure_ps),
        )
        order = found.order
        rank = np.empty(len(order) + 1, dtype=np.int64)
        rank[order], rank[-1] = np.arange(len(order)), -1
        ordered = ("op", "moment", "occurrence", "arrival_ps", "awaited_ps", "departure_ps")
        return attrs.evolve(found, **{name: getattr(found, name)[order] for name in ordered}, place=rank[self.place])

    def in_doubt(self, host_of_device: Int32, error_ps: Int64) -> "Instances":
        """The same where the clock of each device may be off by ``error_ps``, int64[devices] (-1: nobody knows),
        together with those of its host."""
        target = self.target
        off_ps = np.maximum(error_ps, 0)
        are_apart = (target >= 0) & (host_of_device != host_of_device[target])
        doubt_ps = np.where(are_apart, off_ps + off_ps[target], 0)
        return attrs.evolve(self, doubt_ps=doubt_ps)

    @property
    def order(self) -> Int64:
        """Rows by when the first device came."""
        first_ps = np.where(self.took_part, self.arrival_ps, np.iinfo(np.int64).max).min(axis=1, initial=2**62)
        return np.argsort(first_ps, kind="stable")

    @property
    def is_complete(self) -> Bool:
        """By row whether all devices of every group that took part did, or both sides of every edge, where it is known
        which these are."""
        took_part, is_edge = self.took_part, self.is_point_to_point
        size = self.size[self.op]
        present = np.zeros(len(self), dtype=np.bool_)
        for row in range(len(self)):
            came, op = took_part[row], self.op[row]
            group = self.group[op][came]
            counts = np.bincount(group, minlength=1)
            expected = size[row][came]
            present[row] = bool(np.all((expected == 0) | (counts[group] == expected)))
            if is_edge[row] and self.sent_row[row] == row:
                others = np.concatenate((self.source[op][came], self.target[op][came]))
                present[row] &= bool(came[others[others >= 0]].all())
        return present


def instances_of(collectives: Collectives, moment_of_run: Int64, ids: Int64) -> Instances:
    """The executions of collectives by what met: runs by `matched_runs`, ``ids`` are the devices' global ids.

    What ran in no known run is left out.
    """
    rows = np.flatnonzero(collectives.run >= 0)
    op, occurrence = collectives.op[rows], collectives.occurrence[rows]
    moment = moment_of_run[collectives.run[rows]]
    most = int(occurrence.max(initial=0)) + 1
    key = (moment * max(1, len(collectives.ops)) + op) * most + occurrence
    place, firsts = dense_ids(key)
    shape = (len(firsts), len(ids))
    arrival_ps, awaited_ps, departure_ps = (np.full(shape, ABSENT_PS, dtype=np.int64) for _ in range(3))
    device = collectives.device[rows]
    arrival_ps[place, device] = collectives.start_ps[rows]
    awaited_ps[place, device] = collectives.awaited_ps[rows]
    departure_ps[place, device] = collectives.end_ps[rows]
    column_of = {int(each): column for column, each in enumerate(ids)}
    column_of[-1] = -1
    source = np.vectorize(lambda each: column_of.get(each, -1), otypes=[np.int32])(collectives.source)
    of_all = np.full(len(collectives), -1, dtype=np.int64)
    of_all[rows] = place
    found = Instances(
        op[firsts],
        moment[firsts],
        arrival_ps,
        awaited_ps,
        departure_ps,
        collectives.ops,
        collectives.group,
        collectives.size,
        source.reshape(collectives.source.shape),
        of_all,
        occurrence[firsts],
    )
    return found.moved(np.zeros(len(ids), dtype=np.int64))
