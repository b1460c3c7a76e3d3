"""Rows of links: all that moved over one edge, or in one group of devices, whatever the op."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.hosts.comparison import Comparison
from scopelight.analysis.hosts.costs import LEAST_COST_RATIO
from scopelight.analysis.hosts.links import (
    LinkTimes,
    SlowLink,
    bytes_per_s,
    hosts_of,
    slow_links,
)
from scopelight.analysis.hosts.records import LinkRow
from scopelight.analysis.totals.frames import UserFrames


def link_rows(
    comparison: Comparison,
    times: Sequence[LinkTimes],
    frames: UserFrames,
    step_ps: int | None,
    slow_host: str | None = None,
) -> tuple[LinkRow, ...]:
    """The links, slow ones first, then those of edges and of groups, in the order of their devices.

    What is at a ``slow_host`` is not named: a host that is busy is late in moving data too.
    """
    names = [each.name for each in comparison.summary.hosts]
    slow = {
        place: each
        for place, each in slow_links(comparison, times).items()
        if slow_host not in {names[host] for host in hosts_of(comparison, times[place])}
    }
    links: dict[tuple[bool, tuple[int, ...]], list[int]] = {}
    for place, each in enumerate(times):
        links.setdefault((each.is_edge, each.devices), []).append(place)
    rows = [_row(comparison, times, places, slow, frames, step_ps) for places in links.values()]
    return tuple(sorted(rows, key=lambda row: (not row.is_named, row.kind, row.source, row.destination)))


def _row(
    comparison: Comparison,
    times: Sequence[LinkTimes],
    places: Sequence[int],
    slow: dict[int, SlowLink],
    frames: UserFrames,
    step_ps: int | None,
) -> LinkRow:
    of_link = [times[place] for place in places]
    first = max(of_link, key=lambda each: int(each.latency_ps.sum()))
    described = [comparison.instances.ops[each.op] for each in of_link]
    latency_ps, delay_ps = (
        np.concatenate([getattr(each, name) for each in of_link]) for name in ("latency_ps", "delay_ps")
    )
    best = [rate for each in of_link if (rate := bytes_per_s(each.bytes, each.best_ps)) is not None]
    usual = [
        rate for each in of_link if (rate := bytes_per_s(each.bytes, float(np.median(each.latency_ps)))) is not None
    ]
    told = [slow[place] for place in places if place in slow]
    slower = max(told, key=lambda each: each.cost_ps, default=None)
    cost_ps = None if slower is None else comparison.per_step_ps(sum(each.cost_ps for each in told))
    devices, hosts = comparison.summary.devices, comparison.summary.hosts
    ends = first.devices[0], first.devices[-1]
    stack = frames.of(comparison.instances.ops[first.op].stack)
    return LinkRow(
        source=_name(comparison, ends[0]),
        destination=_name(comparison, ends[1]),
        source_host=hosts[devices[ends[0]].host].name,
        destination_host=hosts[devices[ends[1]].host].name,
        kind="edge" if first.is_edge else "group",
        ops=tuple(dict.fromkeys(each.name for each in described)),
        names=tuple(dict.fromkeys(each.op_name for each in described if each.op_name)),
        channels=tuple(dict.fromkeys(each.channel for each in described if each.channel)),
        executions=len(delay_ps),
        bytes=first.bytes,
        best_bytes_per_s=max(best, default=None),
        median_bytes_per_s=float(np.median(usual)) if usual else None,
        latency_ps=int(np.median(latency_ps)),
        best_latency_ps=first.best_ps,
        send_delay_ps=int(np.median(delay_ps)),
        slower_ratio=None if slower is None else slower.slower_ratio,
        cost_per_step_ps=cost_ps,
        is_named=bool(cost_ps and step_ps and cost_ps >= LEAST_COST_RATIO * step_ps),
        group=() if first.is_edge else tuple(_name(comparison, each) for each in first.devices),
        axes=comparison.instances.ops[first.op].axes,
        **frames.place_fields(next(iter(stack), None)),
    )


def _name(comparison: Comparison, device: int) -> str:
    """What a device is called among those of all hosts."""
    found = comparison.summary.devices[device]
    host = comparison.summary.hosts[found.host].name
    return f"{host} {found.name}" if len(comparison.summary.hosts) > 1 else found.name
