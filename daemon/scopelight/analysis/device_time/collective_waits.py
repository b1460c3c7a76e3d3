"""A collective's time on a device: waiting for the last one to come, then moving.

With the last arrival of those that a device waits for, an execution waits from its beginning (of an asynchronous one:
# ruff: noqa: PLR0912

from where the device does nothing else) until then, and moves from then to its end. Of a permute these are the device
that sends to it, and the one that it sends to where it left only after that had come: whether a sender must wait for
its receiver depends on what carries the data.
"""

import attrs
import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances


@attrs.frozen(eq=False, repr=False)
class CollectiveWaits:
    """Int64[rows, devices] each, of the instances that they are of: 0 where a device took no part.

    ``wait_ps`` + ``move_ps`` is how long the device did nothing but the collective. ``last_ps`` is when the last of
    those came that it waits for, itself included, and ``last`` int32 which device that was (-1: it took no part).
    """

    wait_ps: Int64
    move_ps: Int64
    last_ps: Int64
    last: Int32


def collective_waits(instances: Instances) -> CollectiveWaits:
    """How long each device waited and moved in each collective; clocks must be those of one host, or corrected."""
    shape = instances.arrival_ps.shape
    wait_ps, move_ps, last_ps = (np.zeros(shape, dtype=np.int64) for _ in range(3))
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
        np.full(groups, -1, dtype=np.int64),
        wait_ps,
        move_ps,
        last_ps,
        last,
    )
    return CollectiveWaits(wait_ps, move_ps, last_ps, last)


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
    latest: Int64,
    wait: Int64,
    move: Int64,
    last: Int64,
    who: Int32,
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
            came = device
            if not is_edge[row]:
                came = latest[group[of, device]]
            else:
                sender, receiver = source[of, device], target[of, device]
                if sender >= 0 and arrival[row, sender] > arrival[row, device]:
                    came = sender
                if receiver >= 0 and arrival[row, came] < arrival[row, receiver] <= departure[row, device]:
                    came = receiver
            begun, left = awaited[row, device], departure[row, device]
            until = min(max(arrival[row, came], begun), max(left, begun))
            wait[row, device] = until - begun
            move[row, device] = max(left, begun) - until
            last[row, device] = arrival[row, came]
            who[row, device] = came
    return rows
