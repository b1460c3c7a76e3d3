"""Links: how fast devices move data to each other, and which edge is slower than others of its kind.

Of many executions the quickest says what a link can do: medians drown in what else the machines do. An edge of a
permute takes from when both sides have come to the end of the receiver; a group of a collective from when the last has
come. A link that is slow says nothing about the devices at its ends.
"""

from collections.abc import Iterator, Sequence

import attrs
import numpy as np

from scopelight.analysis.hosts.comparison import Comparison
from scopelight.formats.columns import Bool, Int64
from scopelight.model.rendezvous.collectives import link_bytes
from scopelight.model.rendezvous.instances import ABSENT_PS

MANY = 20
"""Executions of which the quickest tenth is looked at, not the quickest alone."""
SLOW_RATIO = 2.0
"""How much slower than the median of its kind a link is that may be named."""
STEADY_RATIO = 3.0
"""How much longer than its quickest executions a link may usually take that is called slow. What is slow by itself is
so each time; where the usual one takes much longer, something else is in the way, and the quickest tells little."""
FEWEST = 3
"""Links of one kind without which none can be told to be slower than the others."""
_BYTE_PS = 10**12


@attrs.frozen(eq=False, repr=False)
class LinkTimes:
    """What one op moved over one link: ``rows`` are instances, ``devices`` the sender and the receiver, or the group.

    ``latency_ps`` is from when all had come to the end, of the rows that tell it; ``delay_ps`` by row by how much the
    sender came later.
    """

    op: int
    devices: tuple[int, ...]
    is_edge: bool
    rows: Int64
    latency_ps: Int64
    delay_ps: Int64
    bytes: int | None

    @property
    def best_ps(self) -> int:
        """What it takes when nothing else is in the way."""
        ordered = np.sort(self.latency_ps)
        return int(ordered[len(ordered) // 10 if len(ordered) >= MANY else 0])

    @property
    def is_steady(self) -> bool:
        """Whether it usually takes about what it takes at its best."""
        return float(np.median(self.latency_ps)) <= STEADY_RATIO * max(self.best_ps, 1)


@attrs.frozen
class SlowLink:
    """How much slower a link is than the median of its kind, and what that costs the replayed steps."""

    slower_ratio: float
    cost_ps: int


def link_times(comparison: Comparison) -> list[LinkTimes]:
    """What each op moved over each edge, and in each group of several devices."""
    return [*_edges(comparison), *_groups(comparison)]


def _rows_by_op(comparison: Comparison, wanted: Bool) -> Iterator[tuple[int, Int64]]:
    instances = comparison.instances
    for op in np.unique(instances.op[wanted]).tolist():
        yield op, np.flatnonzero((instances.op == op) & wanted)


def _edges(comparison: Comparison) -> Iterator[LinkTimes]:
    instances, waits = comparison.instances, comparison.waits
    for op, rows in _rows_by_op(comparison, instances.is_point_to_point):
        sent_rows = instances.sent_row[rows]
        for receiver in np.flatnonzero(instances.source[op] >= 0).tolist():
            sender = int(instances.source[op, receiver])
            sent_ps, came_ps = instances.arrival_ps[sent_rows, sender], instances.arrival_ps[rows, receiver]
            both = np.flatnonzero((sent_rows >= 0) & (sent_ps != ABSENT_PS) & (came_ps != ABSENT_PS))
            if not len(both) or sender == receiver:
                continue
            sent_ps, came_ps = sent_ps[both], came_ps[both]
            # A receiver that itself had to wait for the one that it sends to did not wait for this link.
            waited_ps = instances.awaited_ps[rows[both], receiver] + waits.wait_ps[rows[both], receiver]
            last_ps = np.maximum(np.maximum(sent_ps, came_ps), waited_ps)
            latency_ps = instances.departure_ps[rows[both], receiver] - last_ps
            yield LinkTimes(
                op=op,
                devices=(sender, receiver),
                is_edge=True,
                rows=rows[both],
                latency_ps=np.maximum(latency_ps[_tells(comparison, op, rows[both], sender, receiver)], 0),
                delay_ps=np.maximum(sent_ps - came_ps, 0),
                bytes=instances.ops[op].bytes,
            )


def _tells(comparison: Comparison, op: int, rows: Int64, sender: int, receiver: int) -> Bool:
    """By row whether it tells how long an edge takes; all are taken to where none does.

    It does not where the receiver waited for the one that it sends to, which by their clocks came after it had left.
    """
    instances = comparison.instances
    other = int(instances.target[op, receiver])
    if other in (-1, sender):
        return np.ones(len(rows), dtype=np.bool_)
    is_held = comparison.waits.last[rows, receiver] == other
    found: Bool = ~(is_held & (instances.arrival_ps[rows, other] > instances.departure_ps[rows, receiver]))
    return found if found.any() else ~found


def _groups(comparison: Comparison) -> Iterator[LinkTimes]:
    instances, waits = comparison.instances, comparison.waits
    for op, rows in _rows_by_op(comparison, instances.is_barrier):
        took_part = instances.arrival_ps[rows] != ABSENT_PS
        for group in np.unique(instances.group[op]).tolist():
            members = np.flatnonzero(instances.group[op] == group)
            whole = np.flatnonzero(took_part[:, members].all(axis=1))
            if len(members) < 2 or not len(whole):
                continue
            own = rows[whole][:, None], members[None, :]
            moves_ps = np.median(instances.departure_ps[own] - waits.last_ps(*own), axis=1).astype(np.int64)
            size = int(instances.size[op, members[0]]) or len(members)
            result = instances.ops[op].bytes
            yield LinkTimes(
                op=op,
                devices=tuple(members.tolist()),
                is_edge=False,
                rows=rows[whole],
                latency_ps=np.maximum(moves_ps, 0),
                delay_ps=np.zeros(len(whole), dtype=np.int64),
                bytes=None if result is None else link_bytes(instances.ops[op].kind, size, result),
            )


def hosts_of(comparison: Comparison, link: LinkTimes) -> frozenset[int]:
    """The hosts that a link is between; of one, it is within it."""
    return frozenset(comparison.host_of_device[list(link.devices)].tolist())


def slow_links(comparison: Comparison, links: Sequence[LinkTimes]) -> dict[int, SlowLink]:
    """Of links that are much slower than others of their kind, by their place: how much, and what it costs.

    Of one kind are the edges, or groups, of one op, between as many hosts.
    """
    kinds: dict[tuple[int, bool, int], list[int]] = {}
    for place, link in enumerate(links):
        kinds.setdefault((link.op, link.is_edge, len(hosts_of(comparison, link))), []).append(place)
    found: dict[int, SlowLink] = {}
    for places in kinds.values():
        if len(places) < FEWEST:
            continue
        best_ps = np.array([links[place].best_ps for place in places])
        for number, place in enumerate(places):
            usual_ps = float(np.median(np.delete(best_ps, number)))
            ratio = float(best_ps[number]) / max(usual_ps, 1.0)
            if ratio >= SLOW_RATIO and links[place].is_steady:
                found[place] = SlowLink(ratio, _cost_ps(comparison, links[place], round(usual_ps)))
    return found


def _cost_ps(comparison: Comparison, link: LinkTimes, usual_ps: int) -> int:
    """What the steps would take less if the link were as quick as the others at their best, by replay."""
    most_ps = np.full(comparison.instances.arrival_ps.shape, np.iinfo(np.int64).max)
    # A slow edge holds its sender as well, where what carries the data makes senders wait.
    most_ps[np.ix_(link.rows, np.array(link.devices, dtype=np.int64))] = usual_ps
    return comparison.replay.cost_of_moving(most_ps)


def bytes_per_s(moved: int | None, latency_ps: float) -> float | None:
    """The rate of bytes in a time; None where either is not known."""
    return None if moved is None or not moved or latency_ps <= 0 else moved * _BYTE_PS / latency_ps
