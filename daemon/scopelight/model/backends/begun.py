"""XLA:CPU threads: the columns of executions in the order in which they began, out of those of all events."""

from typing import NamedTuple

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.backends.thunks import ThunkTimes


class OfEvents(NamedTuple):
    """By event of all threads when it was, and what `ThunkTimes` has of it."""

    start_ps: Int64
    worked_until_ps: Int64
    end_ps: Int64
    event_ps: Int64
    helper_ps: Int64
    launch: Int32


class OfExecutions(NamedTuple):
    """By execution what is known of it; of a container also that it is one."""

    op: Int32
    lane: Int32
    of_container: Bool


class Begun(NamedTuple):
    """Columns by execution, in the order of their starts; ``launch`` is the row of an event, -1 where unknown.

    ``worked_until_ps`` is when the event was over on the thread that began it, ``end_ps`` when the execution was.
    """

    op: Int32
    lane: Int32
    of_container: Bool
    start_ps: Int64
    worked_until_ps: Int64
    end_ps: Int64
    self_ps: Int64
    launch: Int32


@kernel
def _take(order: Int64, rows: Int64, events: OfEvents, executions: OfExecutions, begun: Begun) -> None:
    for place in range(len(order)):
        of = order[place]
        row = rows[of]
        begun.op[place] = executions.op[of]
        begun.lane[place] = executions.lane[of]
        is_container = executions.of_container[of]
        begun.of_container[place] = is_container
        begun.start_ps[place] = events.start_ps[row]
        begun.worked_until_ps[place] = events.worked_until_ps[row]
        begun.end_ps[place] = events.end_ps[row]
        # What helps a container is its bodies' own time.
        begun.self_ps[place] = events.event_ps[row] + (0 if is_container else events.helper_ps[row])
        begun.launch[place] = events.launch[row]


def in_order(
    rows: Int64, start_ps: Int64, end_ps: Int64, times: ThunkTimes, executions: OfExecutions
) -> tuple[Int64, Begun]:
    """That order, and the columns in it, all in one pass: ``rows`` are the events that the executions are.

    ``start_ps`` and ``end_ps`` are by event when it was on its thread.
    """
    order = np.argsort(start_ps[rows], kind="stable")
    count = len(rows)
    of_events = OfEvents(start_ps, end_ps, times.end_ps, times.event_ps, times.helper_ps, times.launch)
    op, lane, launch = (np.empty(count, np.int32) for _ in range(3))
    begun_ps, worked_until_ps, over_ps, self_ps = (np.empty(count, np.int64) for _ in range(4))
    of_container = np.empty(count, np.bool_)
    begun = Begun(op, lane, of_container, begun_ps, worked_until_ps, over_ps, self_ps, launch)
    _take(order, rows, of_events, executions, begun)
    return order, begun
