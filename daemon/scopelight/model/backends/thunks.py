"""XLA:CPU threads: what each op execution cost, on the thread that ran it and on those that helped.

XLA:CPU records an execution as an event on the thread that started it. That event covers only what this
thread did before it handed over: an ``end:`` twin closes the execution later, maybe elsewhere, and pool
threads that helped show as regions (``StartRegion`` ... ``StopRegion``), each joined by an id to the
``Record`` marker where it was scheduled. The kernels here turn those markers into self time and end.
"""

from collections.abc import Callable

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.joins import find_rows

OTHER, OP, END, RECORD, REGION, STOP, LAUNCH = range(7)
"""Kinds of host-thread events."""

NO_FLOW = -1
POOL_CONTEXT = 15
"""Producer and consumer type of the markers that the thread pool's listener writes."""


MOST_NESTED_CONTAINERS = 64
"""Loops in loops beyond this depth are not a program's. Such a file would take quadratic time: its containers keep
nothing."""


NEAR = 32
"""Rows ahead in which the op is looked for that a twin closes, before it is looked for everywhere."""


@attrs.frozen(eq=False, repr=False)
class ThreadEvents:
    """Ops, records, closed regions and launches of all threads.

    A thread's rows stand together, sorted by (start ascending, end descending).
    """

    kind: Int32
    start_ps: Int64
    end_ps: Int64
    flow: Int64
    """Flow id that an op or record hands out or that a region takes up; -1 for none."""
    thread_rows: Int64
    """First row of each thread, and the number of rows last."""
    twin_flow: Int64
    """Flow ids that the ``end:`` twins take up, in the order of the threads that recorded them."""
    twin_ps: Int64
    """When each twin began."""
    thread_twins: Int64
    """The first twin of each thread, and the number of twins last."""


@attrs.frozen(eq=False, repr=False)
class ThunkTimes:
    """One entry per row of ``ThreadEvents``; meaningful where the kind is OP."""

    end_ps: Int64
    """When the execution was over, on whichever thread."""
    event_ps: Int64
    """The event on the starting thread, less the ops and regions nested in it."""
    helper_ps: Int64
    """What pool threads worked for the execution."""
    launch: Int32
    """Row of the LAUNCH event that the execution descends from, -1 where unknown."""


@kernel
def _enclose(
    kind: Int32, start: Int64, end: Int64, thread_rows: Int64, enclosing: Int32, own: Int64, stack: Int32
) -> None:
    """Innermost op, region or launch around every row of a thread, and what ops and regions leave of each."""
    for thread in range(len(thread_rows) - 1):
        depth = 0
        for row in range(thread_rows[thread], thread_rows[thread + 1]):
            while depth and end[stack[depth - 1]] <= start[row]:
                depth -= 1
            own[row] = end[row] - start[row]
            enclosing[row] = stack[depth - 1] if depth else -1
            interval = kind[row] == OP or kind[row] == REGION
            if depth and interval:
                above = stack[depth - 1]
                own[above] -= min(end[row], end[above]) - start[row]
            if interval or kind[row] == LAUNCH:
                stack[depth] = row
                depth += 1


@kernel
def _close(
    kind: Int32,
    flow: Int64,
    thread_rows: Int64,
    twin_flow: Int64,
    twin_ps: Int64,
    thread_twins: Int64,
    closed: Int64,
    ops: Int64,
    twins: Int64,
) -> tuple[int, int]:
    """Put off the end of each op to its twin, where both stand in one order on one thread, as most do.

    ``ops`` and ``twins`` become the rows of those that are left over, of which the numbers are returned.
    """
    ops_left, twins_left = 0, 0
    for thread in range(len(thread_rows) - 1):
        row, beyond = thread_rows[thread], thread_rows[thread + 1]
        for twin in range(thread_twins[thread], thread_twins[thread + 1]):
            last = min(beyond, row + NEAR)
            at = row
            while at < last and (kind[at] != OP or flow[at] != twin_flow[twin]):
                at += 1
            if at == last or twin_flow[twin] == NO_FLOW:
                twins[twins_left] = twin
                twins_left += 1
                continue
            closed[at] = max(closed[at], twin_ps[twin])
            for passed in range(row, at):
                if kind[passed] == OP:
                    ops[ops_left] = passed
                    ops_left += 1
            row = at + 1
        for passed in range(row, beyond):
            if kind[passed] == OP:
                ops[ops_left] = passed
                ops_left += 1
    return ops_left, twins_left


def _ends(events: ThreadEvents) -> Int64:
    """When each row was over: an op with its twin, on whichever thread."""
    closed = events.end_ps.copy()
    ops, twins = np.empty(len(closed), dtype=np.int64), np.empty(len(events.twin_flow), dtype=np.int64)
    of_threads = (events.thread_rows, events.twin_flow, events.twin_ps, events.thread_twins)
    ops_left, twins_left = _close(events.kind, events.flow, *of_threads, closed, ops, twins)
    ops, twins = ops[:ops_left], twins[:twins_left]
    closes = find_rows(events.flow[ops], events.twin_flow[twins])
    known = (closes >= 0) & (events.twin_flow[twins] != NO_FLOW)
    np.maximum.at(closed, ops[closes[known]], events.twin_ps[twins[known]])
    return closed


@kernel
def _descend(
    kind: Int32, start: Int64, closed: Int64, enclosing: Int32, record: Int32, owner: Int32, launch: Int32, chain: Int32
) -> None:
    """Owner of every region, launch of every row, by walking towards the marker that scheduled it.

    ``owner`` and ``launch`` come in as -2 (not known yet). A region belongs to the op in which its Record
    lies, or to the owner of the region in which it lies, unless that op was over by then: what is scheduled
    after an op's end is the executor moving on to the next ops.
    """
    for first in range(len(kind)):
        length = 0
        row = first
        while row >= 0 and launch[row] == -2:
            chain[length] = row
            length += 1
            launch[row] = -1
            owner[row] = -1
            if kind[row] == LAUNCH:
                break
            row = record[row] if kind[row] == REGION else enclosing[row]
        while length:
            length -= 1
            row = chain[length]
            if kind[row] == LAUNCH:
                launch[row] = row
                continue
            source = record[row] if kind[row] == REGION else enclosing[row]
            if source < 0:
                continue
            launch[row] = launch[source]
            if kind[row] == REGION:
                # ``source`` is the Record, whose owner is the op that was at work where it lies.
                owner[row] = owner[source]
            elif kind[source] == OP:
                owner[row] = source if start[row] <= closed[source] else -1
            elif kind[source] == REGION:
                above = owner[source]
                owner[row] = above if above >= 0 and start[row] <= closed[above] else -1


@kernel
def _help(
    kind: Int32, start: Int64, end: Int64, closed: Int64, enclosing: Int32, owner: Int32, nested: Int64, helper: Int64
) -> None:
    """Add every region's time to its owner: up to the owner's end, less what is nested in the region."""
    for row in range(len(kind)):
        region = enclosing[row]
        if (kind[row] == OP or kind[row] == REGION) and region >= 0 and kind[region] == REGION:
            above = owner[region]
            if above >= 0:
                limit = min(end[region], closed[above])
                nested[region] += max(0, min(end[row], limit) - start[row])
    for row in range(len(kind)):
        if kind[row] == REGION and owner[row] >= 0:
            limit = min(end[row], closed[owner[row]])
            helper[owner[row]] += max(0, limit - start[row] - nested[row])


def thunk_times(events: ThreadEvents, contains: Callable[[], Bool]) -> ThunkTimes:
    """Ends, self times and launches of the executions among ``events``.

    ``contains`` tells of each row whether it is an op that runs others: a loop, branch or call. It is asked late.
    """
    kind, start, end = events.kind, events.start_ps, events.end_ps
    count = len(kind)
    stack = np.empty(count, dtype=np.int32)
    enclosing = np.empty(count, dtype=np.int32)
    own = np.empty(count, dtype=np.int64)
    _enclose(kind, start, end, events.thread_rows, enclosing, own, stack)

    closed = _ends(events)
    record = np.full(count, -1, dtype=np.int32)
    records = np.flatnonzero(kind == RECORD)
    regions = np.flatnonzero(kind == REGION)
    scheduled = find_rows(events.flow[records], events.flow[regions])
    known = (scheduled >= 0) & (events.flow[regions] != NO_FLOW)
    record[regions[known]] = records[scheduled[known]]

    owner = np.full(count, -2, dtype=np.int32)
    launch = np.full(count, -2, dtype=np.int32)
    _descend(kind, start, closed, enclosing, record, owner, launch, stack)
    if _end_before_next(events, contains(), closed, enclosing, owner):
        owner[:] = -2
        launch[:] = -2
        _descend(kind, start, closed, enclosing, record, owner, launch, stack)
    del stack, record
    helper = np.zeros(count, dtype=np.int64)
    _help(kind, start, end, closed, enclosing, owner, np.zeros(count, dtype=np.int64), helper)
    return ThunkTimes(closed, np.maximum(own, 0, out=own), helper, launch)


def _end_before_next(events: ThreadEvents, contains: Bool, closed: Int64, enclosing: Int32, owner: Int32) -> bool:
    """Clip each op's end to the start of the ops that its completion started. Returns whether any was clipped.

    The thread that finishes an op's last part goes on with the ops that waited for it before it records the twin. Only
    containers run other ops while they are at work.
    """
    inside = np.flatnonzero(enclosing >= 0)
    above = enclosing[inside]
    ops = inside[(events.kind[inside] == OP) & (events.kind[above] == REGION)]
    before = owner[enclosing[ops]]
    ops, before = ops[before >= 0], before[before >= 0]
    late = ~contains[before] & (events.start_ps[ops] < closed[before])
    ops, before = ops[late], before[late]
    np.minimum.at(closed, before, events.start_ps[ops])
    closed[before] = np.maximum(closed[before], events.end_ps[before])
    return bool(len(ops))


@kernel
def _last_of_bodies(
    row: int, start: Int64, closed: Int64, group: Int64, op: Int32, container: Int32, inside: Bool
) -> tuple[np.int64, int]:
    """When the last of what a container holds was over, -1 where it holds nothing; and at which row it ends."""
    last, other = np.int64(-1), row + 1
    while other < len(start) and start[other] < closed[row]:
        if group[other] == group[row] and inside[container[op[row]], op[other]]:
            last = max(last, closed[other])
        other += 1
    return last, other


@kernel
def _contain(
    start: Int64,
    end: Int64,
    closed: Int64,
    lane: Int32,
    group: Int64,
    op: Int32,
    container: Int32,
    inside: Bool,
    waited: Int64,
) -> None:
    count = len(start)
    budget = MOST_NESTED_CONTAINERS * count
    # From the last one back: what a container holds is over by then as it was, not as its twin says.
    for row in range(count - 1, -1, -1):
        body = container[op[row]]
        if body < 0:
            continue
        if budget < 0:
            waited[row] = end[row] - start[row]
            continue
        stop = end[row]
        gap_start = start[row]
        hull_start, hull_end = np.int64(-1), np.int64(-1)
        other = row + 1
        while other <= count:
            over = other == count or start[other] >= stop
            if over or (lane[other] == lane[row] and group[other] == group[row]):
                # A gap of the container's own lane closes: at the next event nested in it, or at its end.
                gap_end = stop if over else start[other]
                if hull_start >= 0 and gap_end > gap_start:
                    waited[row] += max(0, min(hull_end, gap_end) - max(hull_start, gap_start))
                if over:
                    break
                gap_start = max(gap_start, end[other])
                if hull_end <= gap_start:
                    hull_start = np.int64(-1)
            elif group[other] == group[row] and inside[body, op[other]]:
                if hull_start < 0:
                    hull_start = start[other]
                hull_end = max(hull_end, closed[other])
            other += 1
        last, beyond = _last_of_bodies(row, start, closed, group, op, container, inside)
        if last >= 0:
            closed[row] = min(closed[row], max(stop, last))
        budget -= max(other, beyond) - row


def waited_ps(
    start_ps: Int64,
    event_end_ps: Int64,
    end_ps: Int64,
    lane: Int32,
    group: Int64,
    op: Int32,
    container: Int32,
    inside: Bool,
) -> Int64:
    """Time that containers (while, call, conditional) spent waiting for bodies that ran on other lanes.

    One row per execution, sorted by start; a group is a program run on a device. ``container[op]``
    is a row of ``inside`` or -1; ``inside[c, op]`` says whether the op belongs to the bodies of ``c``. Between two
    events of its own lane a container waits from the first start to the last end of the body executions on
    other lanes. ``end_ps`` of a container becomes that of its event or of the last of its bodies: a thread may come to
    record its twin long after.
    """
    waited = np.zeros(len(start_ps), dtype=np.int64)
    _contain(start_ps, event_end_ps, end_ps, lane, group, op, container, inside, waited)
    return waited
