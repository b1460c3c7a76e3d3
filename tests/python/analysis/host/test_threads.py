"""The threads of a host: what each was in, where it stood, and what is not known of it."""

import attrs
import numpy as np
import pytest

from made.findings import codes
from made.host.input_host import GET_OPTIONS, READER_ID, input_profile, main_stands, queue, reader_stands
from made.host.waiting_host import LINE_ID, MS, WHOLE_MS
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.host.threads.seen import cells_of, exclusive_spans, seen_threads
from scopelight.analysis.host.threads.view import host_record
from scopelight.findings import warning
from scopelight.model.host.stands import UNKNOWN, Stands
from scopelight.model.host.states import HostState, ThreadStates


@pytest.fixture
def threads():
    return {each.name: each for each in host_record(input_profile(), GET_OPTIONS).threads}


def test_the_one_that_launches_comes_first_with_its_states(threads):
    assert list(threads) == ["MainThread", "reader"]
    main = threads["MainThread"]
    assert (main.launches, threads["reader"].launches) == (4, 0)
    # 10 ms of waiting for results and 2 of launching in each step, but for the launch before the window.
    assert main.states_ps["sync"] == 4 * 10 * MS
    assert main.states_ps["dispatch"] == 4 * 2 * MS
    assert sum(main.states_ps.values()) == main.known_ps == WHOLE_MS * MS


def test_lines_have_their_time_and_share_of_the_window(threads):
    lines = {each.line: each for each in threads["reader"].lines}
    assert lines[3].time_ps == 4 * 12 * MS
    assert lines[3].share_ratio == pytest.approx(12 / 30)
    assert [each.line for each in threads["reader"].lines] == [4, 3, 5]
    assert sum(each.time_ps for each in threads["reader"].lines) == WHOLE_MS * MS
    assert (threads["reader"].basis, threads["reader"].elsewhere_ps) == ("exact", 0)


def test_queues_say_who_waited_in_them():
    (found,) = host_record(input_profile(queues=[queue({5: 0, 10: 2, 20: 4})]), GET_OPTIONS).queues
    assert (found.mean_held, found.least_held, found.greatest_held, found.capacity) == (2.0, 0, 4, 4)
    assert found.waits == ("MainThread: get",)


@pytest.mark.parametrize("capacity", [4, 0])
def test_nobody_waits_to_put_into_a_queue_that_has_room(capacity):
    ends = {(LINE_ID, "get"): 20, (READER_ID, "put"): 94}
    made = input_profile(queues=[queue({5: 0, 10: 1, 20: 1}, ends=ends, capacity=capacity)])
    (found,) = host_record(made, GET_OPTIONS).queues
    assert found.waits == ("MainThread: get",)


def test_who_waits_for_room_in_a_queue_that_is_full_is_told():
    ends = {(LINE_ID, "get"): 20, (READER_ID, "put"): 94}
    (found,) = host_record(input_profile(queues=[queue({5: 4, 10: 3}, ends=ends)]), GET_OPTIONS).queues
    assert found.waits == ("reader: put", "MainThread: get")


def test_a_queue_has_the_name_that_the_view_of_the_input_has_for_it():
    made = input_profile()
    (of_input,) = input_record(made, GET_OPTIONS).queues
    (of_threads,) = host_record(made, GET_OPTIONS).queues
    assert of_threads.name == of_input.name == "ready"


def test_samples_are_estimates_and_say_so():
    made = input_profile(main=main_stands(is_exact=False), reader=reader_stands(is_exact=False))
    found = host_record(made, GET_OPTIONS)
    assert {each.basis for each in found.threads} == {"estimated"}
    assert "host-lines-sampled" in codes(found)


def test_of_others_traces_there_are_states_without_lines():
    found = host_record(attrs.evolve(input_profile(), host_records=dict), GET_OPTIONS)
    (thread,) = found.threads
    assert (thread.lines, thread.basis) == ((), None)
    assert thread.states_ps["sync"] == 4 * 10 * MS
    assert codes(found) == ["host-lines-unknown"]


def test_a_damaged_recording_is_not_one_that_was_never_made():
    made = attrs.evolve(
        input_profile(),
        host_records=dict,
        host_damage=lambda: (warning("host-recording-damaged", file="a.host"),),
    )
    for view in (host_record, input_record):
        found = view(made, GET_OPTIONS)
        assert "host-recording-damaged" in codes(found)
        assert not {"host-lines-unknown", "input-lines-unknown"} & set(codes(found))


def test_without_any_thread_it_says_why():
    found = host_record(attrs.evolve(input_profile(), host_records=dict, host_states=()))
    assert codes(found, "empty") == ["host-not-traced"]


def test_of_states_at_once_the_first_counts():
    states = ThreadStates(
        0,
        LINE_ID,
        "python",
        np.array([HostState.DISPATCH, HostState.COMPILE, HostState.TRANSFER], np.int8),
        np.array([0, 10, 15]),
        np.array([100, 20, 30]),
    )
    made = attrs.evolve(input_profile(), host_states=[states], host_records=dict)
    (thread,) = seen_threads(made)
    spans = {
        state: list(zip(each.start_ps.tolist(), each.duration_ps.tolist(), strict=True))
        for state, each in exclusive_spans(thread)
    }
    assert spans == {
        HostState.COMPILE: [(10, 10)],
        HostState.TRANSFER: [(20, 10)],
        HostState.DISPATCH: [(0, 10), (30, 70)],
    }


def test_what_jax_lets_go_of_is_told_apart_from_what_python_collects():
    released = np.full(2, HostState.RELEASE, np.int8)
    states = ThreadStates(0, LINE_ID, "python", released, np.array([10, 50]), np.array([20, 60]))
    made = attrs.evolve(input_profile(), host_states=[states])
    made.host_records()[0].garbage = {LINE_ID: (np.array([15, 70]), np.array([30, 75]))}
    thread = next(each for each in seen_threads(made) if each.line_id == LINE_ID)
    found = {
        state: list(zip(spans.start_ps.tolist(), spans.duration_ps.tolist(), strict=True))
        for state, spans in exclusive_spans(thread)
    }
    assert found == {HostState.GARBAGE: [(15, 15), (70, 5)], HostState.RELEASE: [(10, 5), (50, 10)]}


def test_cells_are_cut_to_the_window_and_unknown_moments_are_none():
    stands = Stands(np.array([-50, 20, 30, 200]), np.array([0, UNKNOWN, 1, 0]), [(), ()], is_exact=True)
    cells = cells_of(stands, 100)
    assert list(zip(cells.start_ps.tolist(), cells.end_ps.tolist(), cells.stack.tolist(), strict=True)) == [
        (0, 20, 0),
        (30, 100, 1),
    ]
