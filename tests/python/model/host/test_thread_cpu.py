"""Curves of the time on cores, of the rows of recordings."""

from types import SimpleNamespace

import numpy as np

from scopelight.formats.host_recording.reader import ClockRows
from scopelight.model.host.thread_cpu import host_cpu
from scopelight.model.host.thread_ids import line_id_of

US = 1_000_000
IDENT, OTHER = 140_000_000_000_000, 150_000_000_000_000


def recording(*rows, threads=((41, IDENT), (42, OTHER), (43, None))):
    """A recording of rows (ns, clock, cpu_ns, since_ns)."""
    table = np.array(rows, dtype=np.int64).reshape(-1, 4)
    return SimpleNamespace(clock_rows=ClockRows(*table.T), clock_threads=threads)


def told(intervals):
    return [tuple(each) for each in np.stack((intervals.start_ps, intervals.end_ps, intervals.cpu_ps)).T.tolist()]


def test_intervals_are_between_looks_and_threads_go_by_their_lines():
    found = host_cpu(
        [
            recording(
                (5_000, 0, 100, 0),
                (5_000, 1, 70, 0),
                (7_000, 1, 570, 6_000),
                (7_000, 0, 900, 5_000),
                (9_000, 1, 1_570, 7_000),
                (9_000, 3, 20, 0),
                (10_000, 3, 40, 9_000),
            )
        ],
        4_000,
    )
    assert found.threads.keys() == {line_id_of(IDENT)}
    assert told(found.threads[line_id_of(IDENT)]) == [
        (2 * US, 3 * US, US // 2),
        (3 * US, 5 * US, US),
    ]
    assert told(found.process) == [(1 * US, 3 * US, 800_000)]
    assert found.process.until(np.array([0, 2 * US, 9 * US])).tolist() == [0, 400_000, 800_000]


def test_recordings_of_several_traces_follow_one_another():
    first = recording((1_000, 0, 0, 0), (2_000, 0, 500, 1_000), (1_000, 1, 0, 0), (2_000, 1, 400, 1_000))
    second = recording((1_500, 1, 0, 0), (4_000, 1, 300, 1_500), (3_000, 0, 0, 0), (4_000, 0, 1_000, 3_000))
    found = host_cpu([first, second], 0)
    assert told(found.process) == [(US, 2 * US, 500_000), (3 * US, 4 * US, US)]
    starts = [start for start, *_ in told(found.threads[line_id_of(IDENT)])]
    assert starts == [US, 2 * US]


def test_a_clock_that_went_back_tells_nothing():
    found = host_cpu([recording((1, 0, 0, 0), (9, 0, 5, 1), (1_000, 1, 50, 0), (2_000, 1, 20, 1_000))], 0)
    assert told(found.threads[line_id_of(IDENT)]) == []


def test_without_clocks_of_threads_nothing_is_known():
    assert host_cpu([recording()], 0) is None
    assert host_cpu([recording((1, 0, 0, 0), (9, 0, 5, 1))], 0) is None
