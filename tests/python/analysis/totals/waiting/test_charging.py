"""Idle time, charged to lines: all of it, in whole picoseconds."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.host.idle import TRAIN
from made.host.idle_pieces import STACKS, charged, piece, pieces
from scopelight.analysis.totals.waiting.by_step import WaitingByStep
from scopelight.analysis.totals.waiting.charging import chosen_pieces, longest_first
from scopelight.analysis.totals.waiting.classes import CLASSES
from scopelight.analysis.totals.waiting.pieces import NONE


def by_line(waiting, name="waiting_ps"):
    return {
        line: value for (path, line), each in waiting.lines.items() if (value := getattr(each, name)) and path == TRAIN
    }


ROW = st.builds(
    piece,
    st.integers(1, 10**15),
    st.sampled_from(CLASSES),
    st.integers(-1, len(STACKS) - 1),
    device=st.integers(0, 1),
    step=st.integers(-1, 2),
    op=st.integers(-1, 3),
    opened=st.integers(-1, 1),
    is_exact=st.booleans(),
)


@given(st.lists(ROW, max_size=12))
def test_lines_and_what_is_on_none_are_all_idle_time(rows):
    waiting = charged(*rows)
    whole = sum(row[2] for row in rows)
    assert waiting.idle_ps == whole
    assert sum(line.waiting_ps for line in waiting.lines.values()) + waiting.unattributed_ps == whole
    assert sum(waiting.classes_ps.values()) == whole
    assert sum(waiting.stacks.values()) + waiting.unattributed_ps == whole
    inclusive = Counter()
    for stack, waiting_ps in waiting.stacks.items():
        assert len({(each.path, each.line) for each in stack}) == len(stack) > 0
        inclusive.update({(each.path, each.line): waiting_ps for each in stack})
    for key, line in waiting.lines.items():
        assert line.inclusive_ps == inclusive[key] >= line.waiting_ps
        assert sum(line.classes_ps.values()) == line.waiting_ps
        assert 0 <= line.exact_ps <= line.waiting_ps
        assert sum(line.exposed_ps.values()) <= line.waiting_ps
        assert sum(part_ps for _, part_ps in line.pieces) == line.waiting_ps
        assert set(line.exposed_ps) <= set(waiting.exposing)


@given(st.lists(ROW, max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_pieces_changes_nothing(rows, random):
    mixed = list(rows)
    random.shuffle(mixed)
    one, other = charged(*rows), charged(*mixed)
    assert by_line(one) == by_line(other)
    assert one.unattributed_ps == other.unattributed_ps


def test_the_innermost_line_of_the_users_has_it_and_all_that_called_it_include_it():
    waiting = charged(piece(5, stack=1), piece(7, stack=3), piece(2, stack=2))
    assert by_line(waiting) == {10: 5, 40: 7, 30: 2}
    assert by_line(waiting, "inclusive_ps") == {10: 5, 20: 7, 40: 7, 30: 2, 31: 2}


def test_where_no_frame_is_the_users_or_no_stack_known_no_line_has_it():
    waiting = charged(piece(5, stack=4), piece(7))
    assert (waiting.unattributed_ps, dict(waiting.lines)) == (12, {})


def test_what_waits_inside_a_run_is_on_the_lines_of_the_op_that_it_waits_for():
    waiting = charged(piece(10, "runtime", 0, op=0), piece(10, "runtime", 0, op=1), piece(3, "runtime", 0, op=2))
    # What no line has of an op is where its run was launched.
    assert by_line(waiting) == {50: 3, 51: 7, 52: 5, 10: 5 + 3}
    assert by_line(waiting, "inclusive_ps")[50] == 10


def test_an_op_of_which_nothing_is_known_leaves_it_where_it_was_launched():
    assert by_line(charged(piece(10, "runtime", 0, op=9))) == {10: 10}


def test_a_line_is_exact_where_most_of_its_waiting_is():
    waiting = charged(piece(5, stack=0), piece(4, stack=0, is_exact=False), piece(5, stack=3, is_exact=False))
    lines = {line: each.basis for (_, line), each in waiting.lines.items()}
    assert lines == {10: "exact", 40: "estimated"}
    assert charged(piece(5, stack=1)).lines[TRAIN, 20].basis is None, "it only includes some"


def test_waiting_that_a_wait_for_a_result_exposed_is_told_with_its_line():
    waiting = charged(piece(5, stack=0, opened=3), piece(4, stack=0), piece(3, stack=0, opened=4))
    assert waiting.lines[TRAIN, 10].exposed_ps == {(TRAIN, 40): 5}
    assert {key: each.line for key, each in waiting.exposing.items()} == {(TRAIN, 40): 40}


def test_scopes_take_their_pieces():
    rows = [
        piece(1, step=0),
        piece(2, step=NONE),
        piece(3, "untraced", step=NONE),
        piece(4, device=1, step=1),
        piece(5, device=1, step=NONE),
        piece(6, device=2, step=1),
    ]
    made = pieces(*rows)

    def of(scope, devices=(0, 1), in_steps=(0, 1)):
        return made.duration_ps[chosen_pieces(made, scope, devices, in_steps)].tolist()

    assert of("steps") == [1, 4]
    assert of("window") == [1, 2, 4, 5], "what was not traced is no time of it"
    assert of("outside") == [2, 5]
    assert of("outside", devices=(0, 1), in_steps=(0,)) == [2, 4, 5], "a device without steps has all of it outside"
    assert of("window", devices=(2,)) == [6]


def test_classes_are_listed_by_how_much_there_is_of_them():
    assert list(longest_first({"sync": 3, "input": 7, "python": 5})) == ["input", "python", "sync"]


@given(st.lists(ROW.filter(lambda row: row[1] >= 0), min_size=1, max_size=12))
def test_what_waits_on_a_line_in_its_steps_sums_to_all_of_it(rows):
    waiting = charged(*rows)
    of = WaitingByStep(waiting, 3)
    for key, line in waiting.lines.items():
        sums = np.zeros(3)
        of.add(key, sums)
        assert of.has(key) == (line.waiting_ps > 0)
        assert np.isclose(sums.sum(), line.waiting_ps, rtol=1e-12)


def test_each_step_has_what_waited_in_it():
    waiting = charged(
        piece(5, stack=0, step=0),
        piece(7, stack=0, step=2),
        piece(1, stack=0, step=2, device=1),
        piece(9, stack=3, step=1),
    )
    sums = np.zeros(3)
    WaitingByStep(waiting, 3).add((TRAIN, 10), sums)
    assert sums.tolist() == [5, 0, 8]


def test_an_op_that_lines_share_is_shared_in_each_step_as_on_the_whole():
    waiting = charged(piece(30, op=0, step=0), piece(60, op=0, step=1))
    sums = np.ones(2)
    WaitingByStep(waiting, 2).add((TRAIN, 51), sums)
    assert sums.tolist() == [21, 41]
