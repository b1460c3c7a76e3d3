"""Where threads stood by the interpreter's own events, against a reference that keeps stacks of Python objects."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scopelight.formats.host_recording.reader import BASE, DARK, LINE, ON_BASE, PAUSE, RETURN, START, LineRows
from scopelight.model.host.line_stands import DEEPEST, UNKNOWN, numbered, walk

MAIN, F, G, H = range(4)


def rows_of(events):
    """Rows of (thread, kind, code, line), a nanosecond each."""
    thread, kind, code, line = np.array([*events], dtype=np.int64).reshape(-1, 4).T
    return LineRows(np.arange(len(thread), dtype=np.int64), thread, code, line, kind)


def stood(*events):
    """After each event the stack of (code, line) on which its thread stands, innermost first."""
    lines = rows_of(events)
    idents, number = numbered(lines.thread)
    at, nodes = walk(lines, number, len(idents))
    return [unrolled(nodes, each) for each in at.tolist()]


def unrolled(nodes, number):
    found = []
    while number != UNKNOWN:
        caller, code, line = nodes[number]
        found.append((code, line))
        assert caller < number, "callers come before what they call"
        number = caller
    return tuple(found)


class Reference:
    """The stack of each thread as a list of (code, where it stands), outermost first.

    Where a frame stands includes who called it, who may have gone dark since.
    """

    def __init__(self):
        self.stacks = {}

    def hears(self, thread, kind, code, line):
        stack = self.stacks.setdefault(thread, [])
        place = max((row for row, each in enumerate(stack) if each[0] == code), default=None)
        if kind == DARK:
            for each in self.stacks.values():
                each[:] = [frame for frame in each if frame[0] != code]
        elif kind == RETURN:
            if place is not None:
                del stack[place:]
        elif kind == LINE and place is not None:
            # What is above it was left by an exception.
            del stack[place:]
            self._push(stack, code, line)
        else:
            if kind == BASE:
                stack.clear()
            del stack[DEEPEST - 1 :]
            self._push(stack, code, line)
        return stack[-1][1] if stack else ()

    @staticmethod
    def _push(stack, code, line):
        stack.append((code, ((code, line), *(stack[-1][1] if stack else ()))))


KINDS = st.sampled_from([LINE, LINE, START, START, RETURN, BASE, ON_BASE, DARK])
EVENTS = st.tuples(st.integers(5, 7), KINDS, st.integers(0, 4), st.integers(1, 9))


@settings(max_examples=500)
@given(st.lists(EVENTS, max_size=60))
def test_whatever_happens_threads_stand_where_a_plain_list_has_them(events):
    reference = Reference()
    assert stood(*events) == [reference.hears(*each) for each in events]


def calls(draw, thread, code=0, depth=0):
    """What a call of a function may tell that nobody calls who it calls: lines, calls, exceptions that leave frames
    without a word."""
    yield thread, START, code, code * 100
    for line in range(draw(st.integers(1, 3))):
        yield thread, LINE, code, code * 100 + line + 1
        if depth < 4 and draw(st.booleans()):
            inner = list(calls(draw, thread, depth * 3 + draw(st.integers(1, 3)), depth + 1))
            # An exception leaves it somewhere; whoever called it goes on with a line of its own.
            yield from inner[: draw(st.integers(1, len(inner)))] if draw(st.booleans()) else inner
    yield thread, RETURN, code, 0


@given(st.data())
def test_the_last_line_that_began_is_where_a_thread_stands(data):
    events = list(calls(data.draw, 9))
    for (_, kind, code, line), stack in zip(events, stood(*events), strict=True):
        if kind in (LINE, START):
            assert stack[0] == (code, line)
    assert stood(*events)[-1] == (), "the outermost function has returned"


@given(st.data())
def test_threads_do_not_disturb_each_other(data):
    one, other = (list(calls(data.draw, thread)) for thread in (1, 2))
    order = data.draw(st.permutations([0] * len(one) + [1] * len(other)))
    queues = [iter(one), iter(other)]
    mixed = [next(queues[which]) for which in order]
    found = stood(*mixed)
    assert [stack for which, stack in zip(order, found, strict=True) if which == 0] == stood(*one)
    assert [stack for which, stack in zip(order, found, strict=True) if which == 1] == stood(*other)


def test_a_generator_pauses_and_goes_on_where_it_is_called():
    paused = [(0, BASE, MAIN, 5), (0, START, G, 10), (0, LINE, G, 11), (0, RETURN, G, 0), (0, LINE, MAIN, 6)]
    resumed = [(0, START, F, 20), (0, START, G, 10), (0, LINE, G, 12)]
    assert stood(*paused, *resumed) == [
        ((MAIN, 5),),
        ((G, 10), (MAIN, 5)),
        ((G, 11), (MAIN, 5)),
        ((MAIN, 5),),
        ((MAIN, 6),),
        ((F, 20), (MAIN, 6)),
        ((G, 10), (F, 20), (MAIN, 6)),
        ((G, 12), (F, 20), (MAIN, 6)),
    ]


def test_frames_that_an_exception_left_are_gone_with_the_next_line_of_who_caught_it():
    raised = [(0, BASE, MAIN, 5), (0, START, F, 10), (0, START, G, 20), (0, LINE, G, 21)]
    assert stood(*raised, (0, LINE, MAIN, 7))[-2:] == [((G, 21), (F, 10), (MAIN, 5)), ((MAIN, 7),)]


def test_a_function_that_calls_itself_stands_on_the_stack_as_often():
    events = [(0, BASE, F, 1), (0, ON_BASE, F, 2), (0, START, F, 1), (0, RETURN, F, 0), (0, RETURN, F, 0)]
    assert [len(each) for each in stood(*events)] == [1, 2, 3, 2, 1]


def test_where_a_recording_begins_anew_a_stack_does_too():
    assert stood((0, BASE, MAIN, 5), (0, ON_BASE, F, 10), (0, BASE, MAIN, 5))[-1] == ((MAIN, 5),)


def test_what_code_that_went_dark_had_called_goes_on_and_calls_others():
    called = [(0, BASE, MAIN, 5), (0, START, F, 10), (0, START, G, 20)]
    found = stood(*called, (0, DARK, F, 0), (0, START, H, 30), (0, RETURN, H, 0), (0, RETURN, G, 0))
    assert [[code for code, _ in stack] for stack in found[3:]] == [[G, F, MAIN], [H, G, F, MAIN], [G, F, MAIN], [MAIN]]


def test_code_that_goes_dark_leaves_its_time_on_the_line_that_calls_it_in_every_thread():
    events = [(0, BASE, MAIN, 5), (0, START, F, 10), (1, BASE, MAIN, 6), (1, START, F, 11), (0, DARK, F, 0)]
    assert stood(*events, (1, START, G, 20))[-2:] == [((MAIN, 5),), ((G, 20), (MAIN, 6))]
    assert stood(*events, (1, DARK, F, 0))[-2:] == [((MAIN, 5),), ((MAIN, 6),)], "as it is told of each that is in it"


def test_a_return_of_what_never_began_changes_nothing():
    assert stood((0, BASE, MAIN, 5), (0, RETURN, F, 0)) == [((MAIN, 5),)] * 2
    assert stood((0, RETURN, F, 0)) == [()]


def test_what_is_called_beyond_the_deepest_takes_the_place_of_the_last():
    found = stood(*((0, START, code, code) for code in range(DEEPEST + 50)))
    assert len(found[-1]) == DEEPEST
    assert found[-1][:2] == ((DEEPEST + 49,) * 2, (DEEPEST - 2,) * 2)


def test_who_called_deeper_than_that_is_back_where_it_was_in_the_end():
    deep = DEEPEST + 50
    for codes in (range(1, deep), [F] * deep):
        calls_and_returns = [
            *((0, START, code, 1) for code in codes),
            *((0, RETURN, code, 0) for code in reversed(codes)),
        ]
        assert stood((0, BASE, MAIN, 5), *calls_and_returns)[-1] == ((MAIN, 5),)


@given(st.lists(EVENTS, max_size=30))
def test_equal_stacks_have_one_number(events):
    lines = rows_of(events)
    idents, number = numbered(lines.thread)
    at, nodes = walk(lines, number, len(idents))
    stacks = [unrolled(nodes, each) for each in at.tolist()]
    assert len(set(stacks)) == len(set(at.tolist()))
    assert len(set(nodes)) == len(nodes)


def test_threads_are_numbered_by_their_idents():
    idents, number = numbered(np.array([50, -3, 50, 2**62]))
    assert idents[number].tolist() == [50, -3, 50, 2**62]
    assert sorted(set(number.tolist())) == [0, 1, 2]


def test_of_no_events_there_is_nothing():
    at, nodes = walk(rows_of([]), np.zeros(0, dtype=np.int64), 0)
    assert (len(at), nodes) == (0, [])


def test_a_coroutine_that_gave_way_is_where_its_thread_stands_until_another_goes_on():
    # main() calls outer(), which awaits inner(): both give way, the inner one first. Then other() runs, and gives way.
    main, outer, inner, other = range(4)
    events = [
        (BASE, main, 1),
        (START, outer, 10),
        (LINE, outer, 11),
        (START, inner, 20),
        (LINE, inner, 21),
        (PAUSE, inner, 0),
        (PAUSE, outer, 0),
        (START, other, 30),
        (LINE, other, 31),
        (PAUSE, other, 0),
        (START, outer, 10),
        (START, inner, 20),
        (RETURN, inner, 0),
        (LINE, outer, 12),
        (RETURN, outer, 0),
    ]
    kind, code, line = (np.array(each, dtype=np.int64) for each in zip(*events, strict=True))
    zeros = np.zeros(len(events), dtype=np.int64)
    at, nodes = walk(LineRows(np.arange(len(events)), zeros, code, line, kind), zeros, 1)

    def stack(number):
        caller, of, row = nodes[number]
        return [(of, row), *(stack(caller) if caller >= 0 else [])]

    waiting = [(inner, 21), (outer, 11), (main, 1)]
    assert [stack(number) for number in at[[5, 6]].tolist()] == [waiting, waiting]
    assert stack(int(at[9])) == [(other, 31), (main, 1)]
    assert stack(int(at[13])) == [(outer, 12), (main, 1)]
    assert stack(int(at[14])) == [(main, 1)]


def stood_at_home(launching, *events):
    """The same as ``stood`` of the last event, where coroutines are known to launch the steps."""
    lines = rows_of(events)
    idents, number = numbered(lines.thread)
    at, nodes = walk(lines, number, len(idents), launching)
    return unrolled(nodes, int(at[-1]))


TRAIN, LOAD, FILL, FETCH = range(4, 8)
GAVE_WAY = (
    (1, BASE, MAIN, 9),
    (1, START, TRAIN, 20),
    (1, LINE, TRAIN, 22),
    (1, START, LOAD, 30),
    (1, LINE, LOAD, 31),
    (1, PAUSE, LOAD, 31),
    (1, PAUSE, TRAIN, 22),
)
"""``train`` awaits ``load``, in which it gives way to others."""
HOME = ((LOAD, 31), (TRAIN, 22), (MAIN, 9))


def test_what_runs_while_a_coroutine_that_launches_waits_stands_as_if_it_had_been_called_there():
    filling = ((1, START, FILL, 40), (1, LINE, FILL, 41), (1, START, FETCH, 50), (1, LINE, FETCH, 51))
    assert stood_at_home({TRAIN}, *GAVE_WAY) == HOME
    assert stood_at_home({TRAIN}, *GAVE_WAY, *filling) == ((FETCH, 51), (FILL, 41), *HOME)
    paused = ((1, PAUSE, FETCH, 51), (1, PAUSE, FILL, 41))
    assert stood_at_home({TRAIN}, *GAVE_WAY, *filling, *paused) == HOME
    assert stood_at_home({TRAIN}, *GAVE_WAY, *filling, (1, RETURN, FETCH, 0), (1, RETURN, FILL, 0)) == HOME
    # Where it is not known which of them launches, the one that gave way last is as good as any.
    assert stood_at_home((), *GAVE_WAY, *filling, *paused)[0] == (FETCH, 51)


def test_a_coroutine_that_launches_stands_where_it_goes_on_and_nowhere_once_it_is_gone():
    assert stood_at_home({TRAIN}, *GAVE_WAY, (1, START, TRAIN, 22)) == ((TRAIN, 22), (MAIN, 9))
    # After an exception it goes on without an event of its own.
    assert stood_at_home({TRAIN}, *GAVE_WAY, (1, LINE, TRAIN, 24)) == ((TRAIN, 24), (MAIN, 9))
    ended = (*GAVE_WAY, (1, LINE, TRAIN, 24), (1, RETURN, TRAIN, 0))
    assert stood_at_home({TRAIN}, *ended) == ((MAIN, 9),)
    # What ran the loop goes on: whatever was in it is over.
    over = (*GAVE_WAY, (1, LINE, MAIN, 10))
    assert stood_at_home({TRAIN}, *over) == ((MAIN, 10),)
    assert stood_at_home({TRAIN}, *over, (1, START, FILL, 40)) == ((FILL, 40), (MAIN, 10))


def test_the_loops_of_threads_are_told_apart():
    assert stood_at_home({TRAIN}, *GAVE_WAY, (2, BASE, MAIN, 9), (2, START, FILL, 40)) == ((FILL, 40), (MAIN, 9))
