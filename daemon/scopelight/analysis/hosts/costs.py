"""Costs: what each host, or each device of one host, costs the steps, and which is named for it."""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from scopelight.analysis.hosts.comparison import Comparison
from scopelight.analysis.hosts.records import SlowReason
from scopelight.analysis.hosts.replay import Cost
from scopelight.analysis.hosts.summary import WorkOp
from scopelight.formats.columns import Int32

LEAST_COST_RATIO = 0.05
"""Of the step that a host, a device or a link costs that is named (MindStudio's rule for slow ranks)."""
LEAST_TIMES_NEXT = 3.0
"""How many times as much it costs as any other."""
MOST_REPLAYED = 64
"""Hosts, or devices, that are all replayed; of more only those that took longest are."""
SUSPECTS = 5


@attrs.frozen
class Costs:
    """By host, or device, what it costs a step; only of those that were replayed. ``named`` is the one that is."""

    per_step: Mapping[int, Cost]
    named: int | None = None

    @property
    def reason(self) -> SlowReason | None:
        """What most of the cost of the one that is named is."""
        if self.named is None:
            return None
        cost = self.per_step[self.named]
        return "launched-late" if cost.launched_late_ps > cost.worked_longer_ps else "worked-longer"


def costs_of_hosts(comparison: Comparison, step_ps: int | None) -> Costs:
    """What each host costs."""
    return _costs(comparison, comparison.host_of_device, len(comparison.summary.hosts), step_ps)


def costs_of_devices(comparison: Comparison, step_ps: int | None) -> Costs:
    """What each device costs."""
    devices = len(comparison.summary.devices)
    return _costs(comparison, np.arange(devices, dtype=np.int32), devices, step_ps)


def _costs(comparison: Comparison, unit_of_device: Int32, units: int, step_ps: int | None) -> Costs:
    present = np.unique(unit_of_device)
    if len(present) < 2 or not len(comparison.instances):
        return Costs({})
    chosen: Sequence[int] = present.tolist()
    if len(present) > MOST_REPLAYED:
        excess_ps = comparison.replay.excess_ps(unit_of_device, units)
        chosen = np.argsort(-excess_ps, kind="stable")[:SUSPECTS].tolist()
    per_step = {unit: _per_step(comparison, comparison.replay.cost_of(unit_of_device == unit)) for unit in chosen}
    return Costs(per_step, _named(per_step, step_ps))


def _per_step(comparison: Comparison, cost: Cost) -> Cost:
    return Cost(*(comparison.per_step_ps(each) for each in attrs.astuple(cost)))


def _named(per_step: Mapping[int, Cost], step_ps: int | None) -> int | None:
    ordered = sorted(per_step, key=lambda unit: -per_step[unit].total_ps)
    if not step_ps or not ordered:
        return None
    first_ps = per_step[ordered[0]].total_ps
    next_ps = per_step[ordered[1]].total_ps if len(ordered) > 1 else 0
    is_named = first_ps >= LEAST_COST_RATIO * step_ps and first_ps >= LEAST_TIMES_NEXT * next_ps
    return ordered[0] if is_named else None


@attrs.frozen
class LongerWork:
    """An op that devices work on for longer than others, by how much in each step."""

    op: WorkOp
    excess_per_step_ps: int


def longer_work(comparison: Comparison, unit_of_device: Int32, unit: int) -> LongerWork | None:
    """The op on which the devices of a unit work the most longer than the median of the other devices."""
    work = comparison.summary.work
    steps = np.bincount(comparison.summary.steps.host, minlength=len(comparison.summary.hosts)).clip(1)
    per_step_ps = work.self_ps / steps[comparison.host_of_device[work.device]]
    excess_ps: dict[int, float] = {}
    is_own = unit_of_device[work.device] == unit
    others = int(np.count_nonzero(unit_of_device != unit))
    for op in np.unique(work.op[is_own]).tolist():
        own_ps = per_step_ps[is_own & (work.op == op)]
        theirs_ps = _padded(per_step_ps[~is_own & (work.op == op)], others)
        excess_ps[op] = float(own_ps.max() - np.median(theirs_ps)) if others else 0.0
    if not excess_ps:
        return None
    most = max(excess_ps, key=lambda op: excess_ps[op])
    return LongerWork(work.ops[most], round(excess_ps[most])) if excess_ps[most] > 0 else None


def _padded(values: np.ndarray, count: int) -> np.ndarray:
    """With zeros for those that did nothing, or too little to be kept."""
    return np.concatenate([values, np.zeros(max(0, count - len(values)))])
