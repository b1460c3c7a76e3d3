"""A thread that samples the others: where it finds them, and what it leaves as it was."""

import os
import sys
import threading
import time
from bisect import bisect
from collections import Counter
from pathlib import Path

import pytest

from made.until import until
from scopelight_agent.shim.host import sampler as sampler_module
from scopelight_agent.shim.host.codes import MOST_FRAMES, Codes, stack_of
from scopelight_agent.shim.host.sampler import ALONE_NS, BESIDE_MONITOR_NS, MOST_PERIOD_NS, SWITCH_SECONDS, Sampler

LONGEST_WAIT_SECONDS = 30
HERE = __file__


@pytest.fixture
def codes():
    return Codes()


def sampler_of(codes, own_threads=(), seen=lambda _: None, tells_more=lambda _: False, across=lambda *of: of[-1]):
    return Sampler(codes, set(own_threads), seen, tells_more, across)


@pytest.fixture
def sampler(codes):
    """A sampler that knows no thread but those of the test; it is stopped in the end."""
    made = sampler_of(codes)
    before = sys.getswitchinterval()
    yield made
    made.stop()
    sys.setswitchinterval(before)


@pytest.fixture
def waiting():
    """Another thread, which waits until the test is over."""
    ends = threading.Event()
    thread = threading.Thread(target=ends.wait)
    thread.start()
    yield thread
    ends.set()
    thread.join()


def lines_of(codes, sampled, thread):
    """By innermost line of this file how often a thread was found there."""
    rows, stacks = sampled
    by_number = {number: stack for stack, number in stacks.items()}
    found = Counter()
    for place in range(0, len(rows), 4):
        _, _, ident, number = rows[place : place + 4]
        stack = by_number[number]
        if ident == thread.ident:
            found[
                next(
                    (
                        _line(codes, *stack[row : row + 2])
                        for row in range(0, len(stack), 2)
                        if _is_here(codes, stack[row])
                    ),
                    None,
                )
            ] += 1
    return found


def _is_here(codes, key):
    return codes.by_id[key].co_filename == HERE


def _line(codes, key, offset):
    return next(line for begin, end, line in codes.by_id[key].co_lines() if begin <= offset < end)


def sleeps(ends):
    while not ends.is_set():
        time.sleep(0.02)


def computes(ends):
    value = 0
    while not ends.is_set():
        for each in range(1000):
            value += each
    return value


NUMBERS = list(range(100_000, 0, -1))


def sorts(ends):
    while not ends.is_set():
        sorted(NUMBERS, key=str)


# What never lets go of the interpreter is found where it ends, which may be on the next line.
@pytest.mark.parametrize(
    ("work", "lines", "least_ratio"), [(sleeps, [2], 0.8), (computes, [3, 4], 0.8), (sorts, [2], 0.5)]
)
def test_a_thread_is_found_on_the_line_that_it_is_on(codes, sampler, work, lines, least_ratio):
    ends = threading.Event()
    thread = threading.Thread(target=work, args=[ends])
    thread.start()
    sampler.hurry()
    sampler.start()
    until(lambda: len(sampler.rows) > 4 * 60)
    sampled = sampler.take()
    ends.set()
    thread.join()
    found = lines_of(codes, sampled, thread)
    first = work.__code__.co_firstlineno
    assert sum(found[first + line] for line in lines) > least_ratio * found.total() > 0


def test_a_thread_that_keeps_the_interpreter_is_found_where_it_is_when_the_sample_is_taken(codes, sampler):
    ends, entered = threading.Event(), []

    def first():
        return sum(each for each in range(20_000))

    def second():
        return sum(each for each in range(20_000))

    def alternates():
        while not ends.is_set():
            for function in (first, second):
                entered.append((time.time_ns(), function.__name__))
                function()

    thread = threading.Thread(target=alternates)
    thread.start()
    sampler.start()
    sampler.hurry()
    until(lambda: len(sampler.rows) > 100 * 4)
    sampler.stop()
    ends.set()
    thread.join()
    rows, stacks = sampler.take()
    names = {
        number: {codes.by_id[key].co_name for key in stack[::2]} & {"first", "second"}
        for stack, number in stacks.items()
    }
    begun = [at for at, _ in entered]
    found = Counter()
    for place in range(0, len(rows), 4):
        _, taken, ident, number = rows[place : place + 4]
        if ident == thread.ident and names[number]:
            found[entered[bisect(begun, taken) - 1][1] in names[number]] += 1
    assert found[True] > 20 * found[False]


def test_rows_are_due_before_they_are_taken_and_in_order(sampler):
    sampler.start()
    until(lambda: len(sampler.rows) > 4 * 20)
    began_ns = time.time_ns()
    rows, stacks = sampler.take()
    due, taken = rows[0::4], rows[1::4]
    assert all(one <= other for one, other in zip(due, taken, strict=True))
    assert list(taken) == sorted(taken)
    assert max(taken) <= began_ns
    assert set(rows[3::4]) == set(stacks.values()) == set(range(len(stacks)))


def test_what_is_taken_is_taken_once(sampler, waiting):
    sampler._sample(5, 6)
    first, stacks = sampler.take()
    assert list(first[:3]) == [5, 6, waiting.ident]
    assert stacks
    assert [len(each) for each in sampler.take()] == [0, 0]


def test_neither_its_own_thread_nor_those_that_are_left_out_are_sampled(codes, waiting):
    seen = []
    sampler = sampler_of(
        codes,
        own_threads={threading.get_ident()},
        seen=lambda frames: seen.append((threading.get_ident(), set(frames))),
        tells_more=lambda _: True,
    )
    sampler.start()
    until(lambda: len(seen) > 5)
    sampler.stop()
    ((own, frames), *_) = seen
    sampled = set(sampler.take()[0][2::4])
    assert waiting.ident in sampled & frames
    assert not {own, threading.get_ident()} & (sampled | frames)


def test_of_stacks_that_tell_no_more_than_lines_it_is_asked_once(codes, waiting):
    asked, seen = [], []

    def tells_more(stack):
        asked.append(stack)
        return False

    sampler = sampler_of(codes, (), seen.append, tells_more, lambda *_: pytest.fail("asked"))
    for _ in range(20):
        sampler._sample(1, 2)
    rows, stacks = sampler.take()
    assert rows[2::4].count(waiting.ident) == 20
    assert sorted(asked) == sorted(stacks)
    assert seen == 20 * [{}]


def test_a_stack_that_tells_more_may_be_told_as_another_one(codes, waiting):
    sampler = sampler_of(codes, tells_more=lambda _: True, across=lambda ident, *_: (ident, 2))
    for _ in range(3):
        sampler._sample(1, 2)
    rows, stacks = sampler.take()
    number = stacks[waiting.ident, 2]
    assert rows[2::4].count(waiting.ident) == rows[3::4].count(number) == 3


def test_threads_are_known_by_name_and_by_the_systems_number(sampler):
    ends = threading.Event()
    thread = threading.Thread(target=sleeps, args=[ends], name="the-loader")
    thread.start()
    sampler._sample(1, 2)
    assert sampler.threads[thread.ident] == ("the-loader", thread.native_id)
    ends.set()
    thread.join()


def test_what_fails_while_it_samples_does_not_end_it(codes):
    def fails(_):
        calls.append(1)
        raise RuntimeError

    calls = []
    sampler = sampler_of(codes, seen=fails)
    sampler.start()
    until(lambda: len(calls) > 3)
    sampler.stop()


def test_its_thread_is_gone_after_it_is_stopped_and_it_can_start_again(sampler):
    for _ in range(2):
        sampler.start()
        thread = sampler._thread
        until(lambda: sampler.rows)
        sampler.stop()
        assert not thread.is_alive
        sampler.take()


def test_no_descriptor_stays_open_after_it_is_stopped(sampler):
    before = set(Path("/proc/self/fd").iterdir())
    sampler.start()
    until(lambda: sampler.rows)
    sampler.stop()
    assert set(Path("/proc/self/fd").iterdir()) == before


def test_threads_switch_as_often_as_they_did_once_it_relaxes(sampler):
    sys.setswitchinterval(0.01)
    sampler.hurry()
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    assert sampler._period_ns == ALONE_NS
    sampler.relax()
    assert sys.getswitchinterval() == pytest.approx(0.01)
    assert sampler._period_ns == BESIDE_MONITOR_NS
    sampler.relax()
    assert sys.getswitchinterval() == pytest.approx(0.01)


def test_it_does_not_sleep_on_when_it_is_to_hurry(sampler, waiting, monkeypatch):
    monkeypatch.setattr(sampler, "_period_ns", 3600 * 10**9)
    sampler.start()
    sampler.hurry()
    until(lambda: waiting.ident in sampler.rows[2::4])


def test_a_second_hurry_forgets_nothing(sampler):
    sys.setswitchinterval(0.01)
    sampler.hurry()
    sampler.hurry()
    sampler.relax()
    assert sys.getswitchinterval() == pytest.approx(0.01)


def test_a_script_that_switches_more_often_is_left_as_it_is(sampler):
    sys.setswitchinterval(0.0001)
    own = sys.getswitchinterval()
    sampler.hurry()
    assert sys.getswitchinterval() == own
    sampler.relax()
    assert sys.getswitchinterval() == own


@pytest.mark.parametrize("microseconds", [501, 777, 5000, 123_457])
def test_however_often_it_hurries_the_script_has_its_own_interval_back(sampler, microseconds):
    sys.setswitchinterval(microseconds / 1e6)
    own = sys.getswitchinterval()
    for _ in range(5):
        sampler.hurry()
        sampler.relax()
    assert sys.getswitchinterval() == own


@pytest.mark.parametrize("held_up_ratio", [None, 0.0, 1.0])
def test_what_the_script_chose_meanwhile_stays(sampler, held_up_ratio):
    sys.setswitchinterval(0.01)
    sampler.hurry()
    sys.setswitchinterval(0.003)
    if held_up_ratio is not None:
        for _ in range(5):
            sampler._back_off(held_up_ratio)
        assert sys.getswitchinterval() == pytest.approx(0.003)
    sampler.relax()
    assert sys.getswitchinterval() == pytest.approx(0.003)


def test_on_an_overloaded_machine_it_asks_less_often_and_lets_threads_switch_as_they_did(sampler):
    sys.setswitchinterval(0.01)
    sampler.hurry()
    periods = []
    for _ in range(8):
        sampler._back_off(0.5)
        periods.append(sampler._period_ns)
    assert periods == [min(MOST_PERIOD_NS, ALONE_NS << each) for each in range(1, 9)]
    assert sys.getswitchinterval() == pytest.approx(0.01)
    assert sampler.is_overloaded
    for _ in range(8):
        sampler._back_off(0.0)
    assert sampler._period_ns == ALONE_NS
    assert sys.getswitchinterval() == pytest.approx(SWITCH_SECONDS)
    sampler.relax()
    assert sys.getswitchinterval() == pytest.approx(0.01)
    sampler.hurry()
    assert not sampler.is_overloaded


@pytest.mark.usefixtures("waiting")
def test_no_more_than_so_many_rows_are_kept(sampler, monkeypatch):
    monkeypatch.setattr(sampler_module, "MOST_ROWS", 3)
    for each in range(20):
        sampler._sample(each, each)
    assert len(sampler.rows) == 3 * 4


def test_a_deep_stack_is_cut_at_its_outer_end(codes):
    def deep(left):
        return deep(left - 1) if left else stack_of(sys._getframe(), codes)

    stack = deep(MOST_FRAMES + 50)
    assert len(stack) == 2 * MOST_FRAMES
    assert {codes.by_id[key] for key in stack[::2]} == {deep.__code__}


@pytest.mark.parametrize(
    ("file", "is_users"),
    [
        ("/home/me/train.py", True),
        ("<ipython-input-3-abc>", True),
        ("<stdin>", True),
        ("<string>", False),
        ("<frozen importlib._bootstrap>", False),
        ("/v/lib/python3.12/site-packages/jax/api.py", False),
        ("/usr/lib/python3/dist-packages/numpy/a.py", False),
        (threading.__file__, False),
        (sampler_module.__file__, False),
        (os.path.dirname(os.__file__) + "x/mine.py", True),  # noqa: PTH120
    ],
)
def test_whose_code_is(codes, file, is_users):
    assert codes.is_users(compile("", file, "exec")) is is_users
