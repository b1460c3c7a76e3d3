"""Scopes as nested slices: what follows each other in one scope is one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.devices import device_of, slices_of
from made.executions import executions_of, named, profile_of_executions
from scopelight.analysis.timeline.records import SLICE_COLOURS
from scopelight.analysis.timeline.tracks.scopes import scopes_tracks

PATHS = ["", "a", "a/b", "a/b/c", "a/d", "e", "e/b", "transpose(jvp(a))/b"]
OPS = [named(f"op.{row}", op_name=f"jit(f)/{path}/add" if path else "", program=0) for row, path in enumerate(PATHS)]
NAMELESS, A, A_B, A_B_C, A_D, E, E_B, A_BACKWARD = OPS
LOOP = named("while.1", "while", op_name="jit(f)/a/while")
SEVERAL = st.lists(
    st.tuples(st.sampled_from(OPS), st.integers(0, 9), st.integers(0, 15), st.booleans()), min_size=1, max_size=30
)


def scopes(rows, **columns):
    of = device_of(profile_of_executions(executions_of(rows, **columns), 1000))
    tracks = scopes_tracks(of)
    return slices_of(of, tracks[0]) if tracks else []


def test_executions_that_follow_each_other_in_a_scope_are_one_slice():
    rows = [(A, 0, 10), (A_B, 12, 20), (A_B, 20, 30), (A_B_C, 30, 40), (A_D, 50, 60), (E_B, 60, 70)]
    assert scopes(rows) == [
        ("a", 0, 60, 0),
        ("b", 12, 40, 1),
        ("c", 30, 40, 2),
        ("d", 50, 60, 1),
        ("e", 60, 70, 0),
        ("b", 60, 70, 1),
    ]


def test_an_op_of_a_shallower_scope_parts_the_deeper_one():
    assert scopes([(A_B, 0, 10), (A, 10, 20), (A_B, 20, 30)]) == [("a", 0, 30, 0), ("b", 0, 10, 1), ("b", 20, 30, 1)]


def test_the_passes_of_a_scope_are_told_apart():
    assert scopes([(A, 0, 10), (A_BACKWARD, 10, 20)]) == [
        ("a", 0, 10, 0),
        ("a [backward]", 10, 20, 0),
        ("b", 10, 20, 1),
    ]


def test_ops_without_a_name_and_loops_part_nothing():
    rows = [(A_B, 0, 10), (NAMELESS, 10, 12), (LOOP, 12, 40), (A_B, 14, 30)]
    assert scopes(rows) == [("a", 0, 30, 0), ("b", 0, 30, 1)]


def test_runs_of_a_program_are_told_apart():
    assert scopes([(A, 0, 10), (A, 20, 30)], runs=[0, 1]) == [("a", 0, 10, 0), ("a", 20, 30, 0)]


def test_without_scopes_there_is_no_track():
    assert scopes([(NAMELESS, 0, 10)]) == []


@given(SEVERAL)
def test_a_row_shows_one_scope_at_a_time_inside_that_of_the_row_above(rows):
    start, made, runs, run = 0, [], [], 0
    for op, gap, length, is_next_run in rows:
        start += gap
        run += is_next_run
        made.append((op, start, start + length))
        runs.append(run)
    found = scopes(made, runs=runs)
    assert [(start, -end) for _, start, end, _ in found] == sorted((start, -end) for _, start, end, _ in found)
    by_depth = {}
    for name, start, end, depth in found:
        assert end > start
        last = by_depth.setdefault(depth, [])
        assert not last or last[-1][2] <= start
        if depth:
            assert any(above[1] <= start and end <= above[2] for above in by_depth[depth - 1][-1:])
        last.append((name, start, end))


def test_a_scope_has_the_colour_of_what_most_of_its_time_was():
    of = device_of(
        profile_of_executions(
            executions_of(
                [
                    (named("all-reduce", "all-reduce", "jit(f)/a/psum"), 0, 30),
                    (named("add", "loop fusion", "jit(f)/transpose(jvp(f))/a/add"), 30, 40),
                    (named("mul", "loop fusion", "jit(f)/transpose(jvp(f))/a/mul"), 40, 60),
                ]
            ),
            1000,
        )
    )
    (track,) = scopes_tracks(of)
    slices = track.lane()
    shown = {
        (of.names.text(name), int(start)): int(row)
        for row, (name, start) in enumerate(zip(slices.name, slices.start_ps, strict=True))
    }
    colours = [SLICE_COLOURS[each] for each in track.colours()]
    assert colours[shown["a", 0]] == "communication"
    assert colours[shown["f [backward]", 30]] == "backward"
    assert len(np.unique(slices.depth)) == 2


def test_levels_that_would_make_more_slices_than_twice_the_executions_are_left_out():
    deep = [
        named(f"op.{row}", op_name="jit(f)/" + "/".join(f"{row}.{level}" for level in range(9)) + "/add")
        for row in (0, 1)
    ]
    found = scopes([(deep[row % 2], row * 10, row * 10 + 5) for row in range(20)])
    assert {depth for *_, depth in found} == {0, 1}
    assert len(found) == 40
