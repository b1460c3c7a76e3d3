"""Lines at which the host waits for results, and what a step would take at best without them."""

import numpy as np

from made.host.idle import LIBRARY, at, frame, steps, user_frames
from made.profiles import spans
from scopelight.analysis.totals.waiting.syncs import Waits, syncs_of

READ, PRINT = at(7), at(8, 20)


def waits(*rows, launching=()):
    """A thread's waits from (start, end, stack)."""
    start, end = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2).T
    return Waits(start, end, [stack for *_, stack in rows], spans(*launching))


TWO_STEPS = steps((0, 100), (100, 200))


def syncs(*threads, of_steps=TWO_STEPS, busy=((),)):
    found = syncs_of(threads, [spans(*each) for each in busy], of_steps, user_frames())
    return {line: (each.waits, each.at_best_ps) for (_, line), each in found.items()}


def test_a_host_that_waits_for_all_of_the_device_would_take_as_long_as_its_own_work():
    # Of 100 the device is busy for 40, and the host waits for all of it: it works for 60.
    thread = waits((10, 50, READ), (110, 150, READ))
    assert syncs(thread, busy=[[(10, 50), (110, 150)]]) == {7: (2, 60)}


def test_no_step_is_shorter_than_the_work_of_its_device():
    thread = waits((10, 90, READ), (110, 190, READ))
    assert syncs(thread, busy=[[(10, 90), (110, 190)]]) == {7: (2, 80)}


def test_a_wait_that_reaches_over_steps_has_a_part_in_each():
    # The host launched two steps before it waits: of 200 it works for 30 and for 60.
    thread = waits((30, 140, READ))
    assert syncs(thread, busy=[[(0, 140)]]) == {7: (1, (100 + 60) // 2)}
    assert syncs(thread, busy=[[(30, 40), (100, 140)]]) == {7: (1, (90 + 60) // 2)}


def test_what_the_host_waits_for_while_the_device_does_nothing_stays():
    # A transfer of 30 after the device was done.
    thread = waits((10, 70, READ))
    assert syncs(thread, of_steps=steps((0, 100)), busy=[[(10, 40)]]) == {7: (1, 70)}


def test_a_launch_during_which_the_device_works_is_work_of_the_device():
    thread = waits((50, 60, READ), launching=[(10, 50)])
    # H is 100 - 10 - 30, D is 10 + 30.
    assert syncs(thread, of_steps=steps((0, 100)), busy=[[(20, 60)]]) == {7: (1, 60)}


def test_each_line_is_taken_away_by_itself():
    thread = waits((10, 30, READ), (40, 50, PRINT))
    assert syncs(thread, of_steps=steps((0, 100)), busy=[[(0, 50)]]) == {7: (1, 80), 8: (1, 90)}


def test_steps_and_devices_are_averaged():
    thread = waits((10, 50, READ))
    assert syncs(thread, busy=[[(10, 50)]]) == {7: (1, (60 + 100) // 2)}
    assert syncs(thread, busy=[[(10, 50)], []]) == {7: (1, (80 + 100) // 2)}


def test_waits_outside_of_the_steps_do_not_count():
    thread = waits((0, 5, READ), (20, 30, READ), (150, 160, READ), (99, 102, PRINT))
    assert syncs(thread, of_steps=steps((10, 100)), busy=[[(20, 30)]]) == {7: (1, 80), 8: (1, 90)}
    assert syncs(waits((200, 210, READ))) == {}


def test_waits_between_steps_are_in_none():
    found = syncs(waits((55, 58, READ), (65, 70, READ)), of_steps=steps((0, 50), (60, 110)))
    assert found == {7: (1, 50)}


def test_a_wait_on_no_line_of_the_users_is_no_sync():
    assert syncs(waits((10, 20, (frame(3, "get", LIBRARY),)), (30, 40, ()))) == {}


def test_a_line_on_which_several_threads_wait_counts_all_their_waits_and_no_thread_gets_faster_than_it_is():
    one, other = waits((10, 50, READ)), waits((110, 120, READ), (130, 140, READ))
    assert syncs(one, busy=[[(10, 50), (110, 120)]])[7] == (1, 80)
    assert syncs(other, busy=[[(10, 50), (110, 120)]])[7] == (2, 95)
    assert syncs(one, other, busy=[[(10, 50), (110, 120)]])[7] == (3, 95)


def test_while_the_device_does_nothing_a_wait_hides_nothing_of_it():
    assert syncs(waits((10, 50, READ))) == {7: (1, 100)}
