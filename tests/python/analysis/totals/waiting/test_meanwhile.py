"""Where other threads stood while devices waited for a line."""

from hypothesis import given
from hypothesis import strategies as st

from made.host.idle import LIBRARY, at, frame, stands, user_frames
from made.host.idle_pieces import charged, piece
from scopelight.analysis.totals.waiting.launching import OtherThread
from scopelight.analysis.totals.waiting.meanwhile import meanwhile

LOADING = (at(60), at(61, 60), (frame(171, "get", LIBRARY),))


def of_lines(waiting, *threads):
    """By line how long each thread stood on which line."""
    found = meanwhile(waiting, threads, user_frames())
    return {
        line: {(threads[row].name, each.line): time for (row, each), time in sums.items()}
        for (_, line), sums in found.items()
    }


def loader(*rows, name="loader"):
    return OtherThread(name, stands(*rows, stacks=LOADING))


def test_a_thread_stood_somewhere_in_each_piece_of_a_line():
    # The device waits for line 10, then for line 40, then for line 10 again.
    waiting = charged(piece(10, stack=0), piece(20, stack=3), piece(5, stack=0))
    assert of_lines(waiting, loader((-5, 0), (4, 1), (15, 2), (33, 0))) == {
        10: {("loader", 60): 4 + 2, ("loader", 61): 6 + 0},
        40: {("loader", 61): 5},
    }


def test_threads_are_told_apart():
    waiting = charged(piece(10, stack=0))
    assert of_lines(waiting, loader((0, 0)), loader((3, 1), name="other")) == {
        10: {("loader", 60): 10, ("other", 61): 7}
    }


def test_while_several_devices_wait_a_thread_stands_there_for_each():
    waiting = charged(piece(10, stack=0), piece(10, stack=0, device=1))
    assert of_lines(waiting, loader((5, 0))) == {10: {("loader", 60): 15}}


def test_of_what_lines_share_each_has_its_part():
    # A third of the op is on line 50.
    waiting = charged(piece(30, op=0))
    assert of_lines(waiting, loader((0, 0))) == {50: {("loader", 60): 10}, 51: {("loader", 60): 20}}


def test_where_nothing_of_the_users_is_known_nothing_is_told():
    waiting = charged(piece(10, stack=0))
    assert of_lines(waiting, loader((0, 2)), loader((10, 0)), loader()) == {}
    assert of_lines(charged(), loader((0, 0))) == {}


ROWS = st.builds(
    piece,
    st.integers(1, 30),
    stack=st.integers(-1, 3),
    op=st.sampled_from([-1, -1, 0, 1]),
    device=st.integers(0, 1),
)


@given(
    st.lists(ROWS, max_size=8), st.lists(st.tuples(st.integers(-5, 150), st.integers(-1, 2)), max_size=8).map(sorted)
)
def test_no_thread_stands_anywhere_for_longer_than_is_waited(rows, stood):
    waiting = charged(*rows)
    found = of_lines(waiting, loader(*stood))
    for (_, line), each in waiting.lines.items():
        # Parts are rounded.
        assert sum(found.get(line, {}).values()) <= each.waiting_ps + len(each.pieces) * len(LOADING)
