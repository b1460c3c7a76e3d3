"""A job that is simulated as columns: hosts whose devices meet in groups across and beside each other."""

import numpy as np

from model.rendezvous.met import instances_of
from scopelight.analysis.hosts.replay import DeviceRuns

MS_PS = 10**9
DEVICES_OF_HOST = 4


def simulated(devices, rows, *, per_run, slow_host, excess_ps, late_host=None, late_ps=0, side=64):
    """Instances and runs of a job of so many devices that meets ``rows`` times, ``per_run`` times in each run.

    Groups are of ``side`` neighbours, and in every other op of devices ``devices / side`` apart. The devices of the
    slow host work so much longer before each collective, those of the late one begin each run so much later.
    """
    random = np.random.default_rng(1)
    number = np.arange(devices)
    group = np.zeros((per_run, devices), np.int32)
    group[::2], group[1::2] = number // side, number % (devices // side)
    arrival, departure = np.empty((rows, devices), np.int64), np.empty((rows, devices), np.int64)
    op, moment = np.tile(np.arange(per_run), rows // per_run), np.repeat(np.arange(rows // per_run), per_run)
    start, end = (np.empty((rows // per_run, devices), np.int64) for _ in range(2))
    is_slow, is_late = number // DEVICES_OF_HOST == slow_host, number // DEVICES_OF_HOST == late_host
    now = np.zeros(devices, np.int64)
    for row in range(rows):
        if row % per_run == 0:
            now = now + MS_PS // 10 + is_late * late_ps
            start[row // per_run] = now
        arrival[row] = now + random.normal(2 * MS_PS, MS_PS // 50, devices).astype(np.int64) + is_slow * excess_ps
        own = group[op[row]]
        last = np.zeros(own.max() + 1, np.int64)
        np.maximum.at(last, own, arrival[row])
        departure[row] = now = last[own] + MS_PS // 10
        end[row // per_run] = now + MS_PS // 100
        now = end[row // per_run] if row % per_run == per_run - 1 else now
    kinds = tuple("all-reduce" if each % 2 else "all-gather" for each in range(per_run))
    instances = instances_of(arrival, departure, op=op, moment=moment, kinds=kinds, group=group)
    return instances, DeviceRuns(start, end)
