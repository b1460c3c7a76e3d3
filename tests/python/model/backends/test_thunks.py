"""XLA:CPU markers reduced to self time, helper time and ends, on threads written out by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.model.backends.threads import reduce_thread
from scopelight.model.backends.thunks import (
    END,
    LAUNCH,
    OP,
    RECORD,
    REGION,
    STOP,
    ThreadEvents,
    thunk_times,
    waited_ps,
)


def times(*threads, containers=()):
    """Each thread is a list of (kind, start, end, flow), in order; entries of the result are in that order too.

    ``containers`` are the flows of the ops that run others.
    """
    kept, sizes, twins, twin_sizes = [], [0], [], [0]
    for thread in threads:
        kind, start, end, flow = (np.array(column, dtype=np.int64) for column in zip(*thread, strict=True))
        # Here an event's metadata row is its kind.
        rows, _, ends, twin_rows = reduce_thread(
            kind.astype(np.int32), np.arange(len(kind)), np.arange(7, dtype=np.int32), start, end - start
        )
        kept += zip(kind[rows], start[rows], ends, flow[rows], strict=True)
        twins += zip(flow[twin_rows], start[twin_rows], strict=True)
        sizes.append(len(kept))
        twin_sizes.append(len(twins))
    kind, start, end, flow = (np.array(column, dtype=np.int64) for column in zip(*kept, strict=True))
    return thunk_times(
        ThreadEvents(
            kind.astype(np.int32),
            start,
            end,
            flow,
            np.array(sizes, dtype=np.int64),
            np.array([flow for flow, _ in twins], dtype=np.int64),
            np.array([at for _, at in twins], dtype=np.int64),
            np.array(twin_sizes, dtype=np.int64),
        ),
        lambda: (kind == OP) & np.isin(flow, containers),
    )


def op(start, end, flow):
    return (OP, start, end, flow)


def twin(start, flow):
    return (END, start, start, flow)


def record(at, flow):
    return (RECORD, at, at, flow)


def region(at, flow):
    return (REGION, at, at, flow)


def stop(at):
    return (STOP, at, at, -1)


def test_an_event_keeps_what_the_ops_nested_in_it_leave():
    found = times([op(0, 100, 1), op(10, 30, 2), twin(30, 2), twin(99, 1)])
    assert found.event_ps[[0, 1]].tolist() == [80, 20]
    assert found.end_ps[[0, 1]].tolist() == [100, 30]


def test_a_region_that_an_op_scheduled_is_its_helper_time():
    found = times([op(0, 100, 1), record(5, 50), twin(99, 1)], [region(10, 50), stop(60)])
    assert found.event_ps[0] == 100
    assert found.helper_ps[0] == 50


def test_ops_nested_in_a_region_are_not_helper_time():
    found = times(
        [op(0, 100, 1), record(5, 50), twin(99, 1)],
        [region(10, 50), op(20, 45, 2), twin(44, 2), stop(60)],
    )
    assert found.helper_ps[0] == 25
    assert found.event_ps[3] == 25


def test_regions_that_a_region_scheduled_have_the_same_owner():
    found = times(
        [op(0, 100, 1), record(5, 50), twin(99, 1)],
        [region(10, 50), record(12, 51), stop(20)],
        [region(15, 51), stop(40)],
    )
    assert found.helper_ps[0] == 10 + 25


def test_an_execution_ends_with_its_twin_on_another_thread():
    found = times(
        [op(0, 10, 1), record(5, 50)],
        [region(12, 50), twin(40, 1), record(41, 51), stop(50)],
        [region(45, 51), op(46, 90, 2), twin(89, 2), stop(95)],
    )
    assert found.end_ps[0] == 40
    # After the twin the thread and what it schedules work for the executor, not for the op.
    assert found.helper_ps[0] == 28


@given(
    threads=st.lists(st.lists(st.integers(0, 200), max_size=120), min_size=1, max_size=3),
    is_moved=st.lists(st.booleans(), min_size=200, max_size=200),
    disorder=st.randoms(use_true_random=False),
)
def test_every_execution_ends_with_its_own_twin_in_whatever_order_they_were_recorded(threads, is_moved, disorder):
    """Twins on threads of others, in loops that end after what they run, out of order, and missing at both ends."""
    flows = list(dict.fromkeys(flow for thread in threads for flow in thread))
    of_thread = dict.fromkeys(flows)
    for number, thread in enumerate(threads):
        of_thread.update((flow, number) for flow in thread if of_thread[flow] is None)
    twins = [flow for flow in flows if flow % 7]
    if disorder.random() < 0.5:
        disorder.shuffle(twins)
    events = [[] for _ in threads]
    for at, flow in enumerate(flows):
        events[of_thread[flow]].append(op(10 * at, 10 * at + 5, flow))
    for at, flow in enumerate(twins):
        place = (of_thread[flow] + is_moved[flow % 200]) % len(threads)
        events[place].append(twin(10_000 + at, flow))
    kept = [each for each in events if each]
    if kept:
        found = times(*kept)
        ends = {flow: 10_000 + at for at, flow in enumerate(twins)}
        wanted = [ends.get(flow, end) for thread in kept for kind, _, end, flow in thread if kind == OP]
        assert found.end_ps.tolist() == wanted


def handed_on(containers=()):
    """An op whose helper's thread goes on with the next op before it records the twin, and another helper of it."""
    return times(
        [op(0, 10, 1), record(5, 50)],
        [region(12, 50), op(40, 70, 2), record(50, 51), twin(69, 2), record(72, 52), twin(80, 1), stop(85)],
        [region(55, 51), stop(65), region(74, 52), stop(79)],
        containers=containers,
    )


def test_an_execution_ends_before_the_next_one_on_the_thread_that_ended_it():
    found = handed_on()
    assert found.end_ps[[0, 3]].tolist() == [40, 70]
    assert found.helper_ps[[0, 3]].tolist() == [28, 10]


def test_a_container_does_not_end_where_what_it_runs_begins():
    found = handed_on(containers=[1])
    assert found.end_ps[[0, 3]].tolist() == [80, 70]
    assert found.helper_ps[[0, 3]].tolist() == [28 + 10 + 5, 10]


def test_a_region_that_the_capture_cut_off_lasts_as_long_as_its_thread():
    found = times([op(0, 100, 1), record(5, 50), twin(99, 1)], [region(10, 50), op(20, 30, 2), twin(29, 2)])
    assert found.helper_ps[0] == 10


def test_a_record_outside_of_all_ops_helps_nobody():
    found = times([record(1, 50), op(2, 10, 1)], [region(5, 50), stop(60)])
    assert found.helper_ps.sum() == 0


def test_executions_descend_from_the_launch_that_scheduled_them():
    found = times(
        [(LAUNCH, 0, 10, -1), record(3, 50), (LAUNCH, 20, 30, -1), record(23, 51)],
        [region(5, 50), op(6, 9, 1), stop(12), region(25, 51), op(26, 29, 2), stop(31)],
    )
    assert found.launch[5] == 0
    assert found.launch[7] == 2


def test_markers_that_name_each_other_in_a_circle_end():
    found = times([region(0, 51), record(1, 50), stop(9)], [region(0, 50), record(1, 51), stop(9)])
    assert (found.launch == -1).all()


def waited(rows):
    """Rows of (start, event end, end, lane, op); op 0 is a container whose body is op 1."""
    start, event_end, end, lane, op_row = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    return waited_ps(
        start,
        event_end,
        end,
        lane.astype(np.int32),
        np.zeros(len(rows), dtype=np.int64),
        op_row.astype(np.int32),
        np.array([0, -1, -1], dtype=np.int32),
        np.array([[False, True, False]]),
    )


def test_a_container_keeps_nothing_that_it_waited_for():
    # The body runs on lane 1 from 10 to 90, with a gap: the container waits throughout.
    found = waited([(0, 100, 100, 0, 0), (10, 40, 40, 1, 1), (50, 90, 90, 1, 1)])
    assert found.tolist() == [80, 0, 0]


def test_a_container_is_over_with_the_last_of_its_bodies_however_late_its_twin_comes():
    columns = [
        # Its event is short; its body runs on lane 1; the twin comes when its thread is scheduled again.
        (0, 5, 900, 0, 0),
        (10, 30, 40, 1, 1),
        # No body of it.
        (50, 60, 60, 1, 2),
        (1000, 1100, 1150, 0, 0),
        (1010, 1020, 1020, 0, 1),
        # Nothing is known of what it held.
        (2000, 2005, 2900, 0, 0),
    ]
    start, event_end, end, lane, op = (np.array(column, dtype=np.int64) for column in zip(*columns, strict=True))
    op = op.astype(np.int32)
    container, inside = np.array([0, -1, -1], dtype=np.int32), np.array([[False, True, False]])
    waited_ps(start, event_end, end, lane.astype(np.int32), np.zeros_like(start), op, container, inside)
    assert end.tolist() == [40, 40, 60, 1100, 1020, 2900]


def test_a_container_inside_of_another_is_over_first():
    # Op 0 holds op 1, which holds op 2.
    columns = [(0, 5, 900, 0, 0), (10, 15, 800, 1, 1), (20, 30, 30, 2, 2)]
    start, event_end, end, lane, op = (np.array(column, dtype=np.int64) for column in zip(*columns, strict=True))
    container = np.array([0, 1, -1], dtype=np.int32)
    inside = np.array([[False, True, True], [False, False, True]])
    lane, op = lane.astype(np.int32), op.astype(np.int32)
    waited_ps(start, event_end, end, lane, np.zeros_like(start), op, container, inside)
    assert end.tolist() == [30, 30, 30]


def test_a_container_waits_only_between_the_events_of_its_own_lane():
    found = waited([(0, 100, 100, 0, 0), (10, 40, 40, 0, 1), (30, 70, 70, 1, 1), (60, 65, 65, 0, 1)])
    # Own lane is busy 10-40 and 60-65; the other lane covers 40-60 and 65-70 of what is left.
    assert found[0] == 25


def test_a_container_does_not_wait_for_ops_that_are_not_its_own():
    assert waited([(0, 100, 100, 0, 0), (10, 90, 90, 1, 2)]).tolist() == [0, 0]


def test_containers_nested_beyond_reason_take_linear_time():
    count = 20_000
    rows = [(row, 10**6, 10**6, row % 2, 0) for row in range(count)]
    found = waited(rows)
    assert (found <= 10**6).all()
    assert found[0] > 0
