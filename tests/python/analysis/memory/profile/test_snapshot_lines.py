"""Live arrays by the line that made them."""

import attrs
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, profile_of_executions
from scopelight.analysis.memory.profile.records import MemorySnapshot
from scopelight.analysis.memory.profile.snapshot_lines import MOST_ROWS, snapshot_lines, snapshot_rows
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.memory.recorded import LiveMemory
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.frames import Frame

JAX = Frame("/usr/lib/python3/site-packages/jax/_src/pjit.py", 70, "cache_miss")
INNER = Frame("/w/net.py", 7, "layer")
OUTER = Frame("/w/train.py", 30, "main")
OTHER = Frame("/w/train.py", 31, "main")


def centre():
    profile = attrs.evolve(
        profile_of_executions(executions_of([]), 0), capture=RunInformation(cwd="/w"), is_memory_alone=True
    )
    return centre_of(profile, LineOptions(roots=("/w",)))


def test_the_innermost_line_of_the_users_takes_it_and_the_way_to_it_is_kept():
    rows = snapshot_rows(
        [
            LiveMemory((JAX, INNER, OUTER), 2, 200, "buffer", "cpu:0"),
            LiveMemory((JAX, INNER, OTHER), 1, 100, "buffer", "cpu:0"),
            LiveMemory((JAX,), 1, 50, "buffer", "cpu:0"),
            LiveMemory((INNER, OUTER), 3, None, "executable", ""),
        ],
        centre(),
    )
    assert [(row.path, row.line, row.bytes, row.count, row.unknown_count, row.kind) for row in rows] == [
        ("net.py", 7, 200, 2, 0, "buffer"),
        ("net.py", 7, 100, 1, 0, "buffer"),
        # Frames outside every root are the user's where there is nothing else, but never a library's.
        (None, None, 50, 1, 0, "buffer"),
        ("net.py", 7, 0, 3, 3, "executable"),
    ]
    assert [(place.path, place.line) for place in rows[0].stack] == [("net.py", 7), ("train.py", 30)]
    assert rows[0].file == "/w/net.py"


def test_a_line_counts_what_is_of_known_size_and_one_of_unknown_size_alone_is_left_out():
    rows = snapshot_rows(
        [
            LiveMemory((INNER, OUTER), 2, 200, "buffer", "cpu:0"),
            LiveMemory((INNER, OTHER), 1, 100, "buffer", "cpu:0"),
            LiveMemory((INNER, OUTER), 3, None, "executable", ""),
            LiveMemory((OUTER,), 4, None, "executable", ""),
            LiveMemory((OUTER,), 4, 0, "executable", "cpu:0"),
            LiveMemory((OTHER,), 5, 0, "buffer", "cpu:0"),
        ],
        centre(),
    )
    lines = snapshot_lines(MemorySnapshot("made", None, 300, None, rows))
    assert [(line.path, line.line, line.bytes, line.count) for line in lines] == [
        ("net.py", 7, 300, 3),
        ("train.py", 31, 0, 5),
    ]


@given(
    live=st.lists(
        st.builds(
            LiveMemory,
            st.lists(st.sampled_from([JAX, INNER, OUTER, OTHER]), max_size=4).map(tuple),
            st.integers(1, 9),
            st.none() | st.integers(0, 10**12),
            st.sampled_from(["buffer", "executable", ""]),
            st.sampled_from(["cpu:0", "TPU_1(process=0,(0,0,0,0))", ""]),
        ),
        max_size=30,
    )
)
def test_rows_and_lines_sum_to_the_snapshot(live):
    rows = snapshot_rows(live, centre())
    whole = sum(each.bytes or 0 for each in live)
    assert sum(row.bytes for row in rows) == whole
    assert sum(row.count for row in rows) == sum(each.count for each in live)
    snapshot = MemorySnapshot("made", None, whole, None, rows)
    lines = snapshot_lines(snapshot)
    assert sum(line.bytes for line in lines) == sum(row.bytes for row in rows if row.line is not None)
    assert len({(line.path, line.line) for line in lines}) == len(lines)
    assert {line.basis for line in lines} <= {"snapshot"}


def test_many_rows_keep_their_sum():
    live = [
        LiveMemory((attrs.evolve(INNER, line=number + 1),), 1, number + 1, "buffer", "cpu:0")
        for number in range(MOST_ROWS + 500)
    ]
    rows = snapshot_rows(live, centre())
    assert len(rows) == MOST_ROWS
    assert sum(row.bytes for row in rows) == sum(each.bytes for each in live)
