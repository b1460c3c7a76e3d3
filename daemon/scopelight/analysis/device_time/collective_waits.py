"""A collective's time on a device: waiting for the last one to come, then moving.

With the last arrival of those that a device waits for, an execution waits from its beginning (of an asynchronous one:
from where the device does nothing else) until then, and moves from then to its end. Of a permute these are the device
that sends to it, and the one that it sends to where it waited for that (`senders`).
"""

import attrs
import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances
from scopelight.model.rendezvous.senders import waited_for_receiver


@attrs.frozen(eq=False, repr=False)
class CollectiveWaits:
    """``wait_ps`` is int64[rows, devices] of the instances that they are of, 0 where a device took no part.

    ``last`` is int32[rows, devices], which device came last of those that one waits for, itself included (-1: it took
    no part).
    """

    wait_ps: Int64
    last: Int32
    _instances: Instances

    def move_ps(self, row: Int64, device: Int64 | Int32) -> Int64:
        """How long devices moved data in rows, which with the waiting is how long they did nothing but the collective.

        Both are indices, of one shape or of shapes that numpy brings to one.
        """
        instances = self._instances
        awaited_ps, departure_ps = instances.awaited_ps[row, device], instances.departure_ps[row, device]
        found: Int64 = np.maximum(departure_ps - awaited_ps, 0) - self.wait_ps[row, device]
        return found

    def last_ps(self, row: Int64, device: Int64 | Int32) -> Int64:
        """When the last of those came that devices waited for."""
        found: Int64 = self._instances.arrival_ps[row, self.last[row, device]]
        return found

    def by_device(self) -> tuple[Int64, Int64]:
        """By device how long it waited, and moved, in all."""
        spent_ps = np.zeros(self._instances.devices, dtype=np.int64)
        for row in range(len(self._instances)):
            came = np.flatnonzero(self.last[row] >= 0)
            spent_ps[came] += np.maximum(
                self._instances.departure_ps[row, came] - self._instances.awaited_ps[row, came], 0
            )
        wait_ps: Int64 = self.wait_ps.sum(axis=0)
        return wait_ps, spent_ps - wait_ps


def collective_waits(instances: Instances) -> CollectiveWaits:
    """How long each device waited and moved in each collective; clocks must be those of one host, or corrected."""
    shape = instances.arrival_ps.shape
    wait_ps = np.zeros(shape, dtype=np.int64)
    last = np.full(shape, -1, dtype=np.int32)
    groups = int(instances.group.max(initial=0)) + 1
    _split(
        instances.op,
        instances.is_point_to_point,
        instances.arrival_ps,
        instances.awaited_ps,
        instances.departure_ps,
        instances.group,
        instances.source,
        instances.target,
        instances.sent_row,
        instances.doubt_ps,
        np.full(groups, -1, dtype=np.int64),
        wait_ps,
        last,
    )
    return CollectiveWaits(wait_ps, last, instances)


@kernel
def _split(
    op: Int32,
    is_edge: np.ndarray,
    arrival: Int64,
    awaited: Int64,
    departure: Int64,
    group: Int32,
    source: Int32,
    target: Int32,
    sent: Int64,
    doubt: Int64,
    latest: Int64,
    wait: Int64,
    last: Int32,
) -> int:
    rows, devices = arrival.shape
    for row in range(rows):
        of = op[row]
        if not is_edge[row]:
            for device in range(devices):
                latest[group[of, device]] = -1
            for device in range(devices):
                at = group[of, device]
                if arrival[row, device] == ABSENT_PS:
                    continue
                if latest[at] < 0 or arrival[row, device] > arrival[row, latest[at]]:
                    latest[at] = device
        for device in range(devices):
            if arrival[row, device] == ABSENT_PS:
                continue
            came, last_ps = device, arrival[row, device]
            if not is_edge[row]:
                came = latest[group[of, device]]
                last_ps = arrival[row, came]
            else:
                sender, receiver, at_sender = source[of, device], target[of, device], sent[row]
                if sender >= 0 and at_sender >= 0 and arrival[at_sender, sender] > arrival[row, device]:
                    came = sender
                    last_ps = arrival[at_sender, sender]
                is_own = at_sender == row
                left, unsure = departure[row, device], doubt[of, device]
                if is_own and receiver >= 0 and waited_for_receiver(last_ps, arrival[row, receiver], left, unsure):
                    came = receiver
                    last_ps = arrival[row, receiver]
            begun, left = awaited[row, device], departure[row, device]
            until = min(max(last_ps, begun), max(left, begun))
            wait[row, device] = until - begun
            last[row, device] = came
    return 0
