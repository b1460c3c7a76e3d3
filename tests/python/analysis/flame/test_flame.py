"""The flame graph: sums that are exact, inclusive times that are those of Hot Lines, what becomes of stacks."""

from collections import Counter, defaultdict
from pathlib import Path

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.flame import inclusive_of_lines
from made.recorded import PROFILES
from scopelight.analysis.flame.flame import flame as flame_of
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_lines
from scopelight.analysis.ops.views import table_of
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.frames import LineOptions
from scopelight.analysis.totals.repeats import without_repeats
from scopelight.model.executions import Op
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.frames import Frame

HERE = LineOptions(roots=("/w",))
MEASURES = ("op-time", "wall-time", "flops", "memory")


def flame(profile, line_options, *options, **named):
    return flame_of(Subject.of(profile, line_options), FlameOptions(*options, **named))


def frame(line, path="/w/net.py", function="f"):
    return Frame(path, line, function)


def op_of(name, stack):
    return Op(name, "", -1, stack=stack)


def shown(record):
    """Self and inclusive times by the path of lines from the outermost frame on."""
    paths = {}
    for row in record.rows:
        name = row.line if row.kind == "frame" else row.kind
        paths[row.key] = (*(paths[row.parent] if row.parent else ()), name)
    return {paths[row.key]: (row.self_value, row.inclusive_value) for row in record.rows}


@pytest.fixture(scope="module", params=PROFILES)
def recorded(request, shared_data):
    return open_profile(shared_data / request.param)


def test_stacks_that_begin_alike_are_one_above_where_they_part(profile_of):
    outer, left, right = frame(1), frame(2), frame(3)
    profile = profile_of([(op_of("a", (left, outer)), 30), (op_of("b", (right, outer)), 12), (op_of("c", (outer,)), 5)])
    assert shown(flame(profile, HERE)) == {(1,): (5, 47), (1, 2): (30, 30), (1, 3): (12, 12)}


def test_callers_come_first_and_the_largest_before_its_siblings(profile_of):
    outer = frame(1)
    profile = profile_of([(op_of(str(line), (frame(line), outer)), line) for line in (3, 9, 5)])
    assert [row.line for row in flame(profile, HERE).rows] == [1, 9, 5, 3]


def test_a_line_that_calls_itself_counts_once_in_its_inclusive_time(profile_of):
    call, leaf = frame(4), frame(7)
    profile = profile_of([(op_of("a", (leaf, call, call, call)), 10)])
    assert shown(flame(profile, HERE)) == {(4,): (0, 10), (4, 7): (10, 10)}
    record = flame(profile, HERE, libraries=True)
    assert shown(record) == {(4,): (0, 10), (4, 4): (0, 10), (4, 4, 4): (0, 10), (4, 4, 4, 7): (10, 10)}
    assert inclusive_of_lines(record) == {("/w/net.py", 4): 10, ("/w/net.py", 7): 10}


def test_ops_without_a_stack_have_a_row_of_their_own(profile_of):
    profile = profile_of([(op_of("a", (frame(1),)), 10), (op_of("b", ()), 3)])
    record = flame(profile, HERE)
    (bare,) = (row for row in record.rows if row.kind == "without-source")
    assert (bare.self_ps, bare.parent, bare.path, bare.line, bare.function) == (3, None, None, None, "")
    assert hot_lines(profile, HERE).unattributed_ps == bare.self_ps
    assert [op.name for op in bare.ops] == ["b"]


def test_frames_of_libraries_are_folded_and_can_be_shown(profile_of):
    library = "/usr/lib/python3.11/site-packages/flax/linen.py"
    mine, theirs, outer = frame(1), frame(2, library, "Dense"), frame(3)
    profile = profile_of([(op_of("a", (mine, theirs, outer)), 10), (op_of("b", (theirs,)), 4)])
    assert shown(flame(profile, HERE)) == {(3,): (0, 10), (3, 1): (10, 10), ("library",): (4, 4)}
    whole = flame(profile, HERE, libraries=True)
    assert shown(whole) == {(3,): (0, 10), (3, 2): (0, 10), (3, 2, 1): (10, 10), (2,): (4, 4)}
    assert {row.line: row.is_library for row in whole.rows} == {3: False, 2: True, 1: False}


def test_what_repeats_between_the_frames_of_libraries_is_there_once(profile_of):
    library = frame(9, "/usr/lib/python3.11/site-packages/jax/lax.py")
    step, loss, block = frame(1), frame(2), frame(3)
    profile = profile_of([(op_of("a", (block, library, loss, step, library, loss, step)), 10)])
    assert shown(flame(profile, HERE)) == {(1,): (0, 10), (1, 2): (0, 10), (1, 2, 3): (10, 10)}
    assert [row.line for row in flame(profile, HERE, libraries=True).rows] == [1, 2, 9, 1, 2, 9, 3]


@given(st.lists(st.sampled_from([frame(1), frame(2), frame(3)]), max_size=40))
def test_without_repeats_nothing_follows_itself_and_no_frame_is_lost(frames):
    kept = without_repeats(frames)
    assert set(kept) == set(frames)
    assert kept[:1] == tuple(frames[:1])
    assert kept[-1:] == tuple(frames[-1:])
    # Of the last occurrence and the one before it, which is what is looked at.
    for end in range(len(kept)):
        before = [place for place in range(end) if kept[place] == kept[end]]
        length = end - before[-1] if before else 0
        assert not length or kept[end + 1 - length : end + 1] != kept[end + 1 - 2 * length : end + 1 - length]


def test_what_an_op_is_called_stands_on_the_line_that_traced_it(profile_of):
    profile = profile_of([(op_of(name, (frame(1),)), time) for name, time in (("a", 1), ("b", 9), ("c", 5), ("d", 7))])
    (row,) = flame(profile, HERE).rows
    assert [(op.name, op.value) for op in row.ops] == [("b", 9), ("d", 7), ("c", 5)]
    assert {op.phase for op in row.ops} == {"other"}


def test_keys_name_one_row_each_and_do_not_depend_on_what_it_measures(profile_of):
    outer, inner = frame(1), frame(2)
    profile = profile_of([(op_of("a", (inner, outer)), 30), (op_of("b", (inner,)), 12), (op_of("c", ()), 5)])
    keys = [[row.key for row in flame(profile, HERE, measure).rows] for measure in ("op-time", "wall-time")]
    assert keys[0] == keys[1]
    assert len(set(keys[0])) == 4


def test_scopes_are_those_of_hot_lines_and_the_two_parts_are_the_window(shared_data):
    profile = open_profile(shared_data / "mi300x-conv/tw003.xplane.pb")
    totals = Counter()
    for scope in ("steps", "outside", "window"):
        lines = hot_lines(profile, LineOptions(), scope)
        record = flame(profile, LineOptions(), "wall-time", scope=scope)
        assert record.extent == lines.extent
        assert (record.extent.kind, record.op_time_ps) == (scope, lines.op_time_ps)
        inclusive = {(line.file or line.path, line.line): line.inclusive_wall_ps for line in lines.lines}
        assert inclusive_of_lines(record) == inclusive
        totals[scope] = record.total
    assert 0 < totals["outside"] == totals["window"] - totals["steps"]


def test_without_steps_the_whole_profile_is_shown_and_said_to_be(profile_of):
    record = flame(profile_of([(op_of("a", (frame(1),)), 10)]), HERE)
    assert (record.op_time_ps, record.extent.kind) == (10, "window")
    assert [finding.code for finding in record.findings] == ["no-program-runs"]


def test_a_device_is_chosen_by_its_name(profile_of):
    op = op_of("a", (frame(1),))
    profile = profile_of([(op, 10), (op, 7)], device_of=[0, 1])
    assert flame(profile, HERE).op_time_ps == 17
    assert flame(profile, HERE, device="/device:CPU:1").op_time_ps == 7
    with pytest.raises(LookupError, match="No device called"):
        flame(profile, HERE, device="/device:CPU:9")


def test_an_empty_one_says_why(profile_of):
    record = flame(profile_of([]), HERE)
    assert (record.rows, record.total, [finding.code for finding in record.findings]) == ((), 0, ["no-op-ran"])
    unknown = flame(profile_of([(op_of("a", ()), 10)]), HERE, "flops")
    assert [(finding.code, finding.severity) for finding in unknown.findings] == [("flops-unknown", "empty")]
    assert unknown.findings[0].values == {"unknown_ps": 10}
    memory = flame(profile_of([]), HERE, "memory")
    assert [finding.code for finding in memory.findings] == ["memory-without-programs"]
    of_tensorflow = attrs.evolve(profile_of([]), cpu_runs={"TensorFlow": np.arange(3)})
    assert [finding.code for finding in flame(of_tensorflow, HERE, "memory").findings] == ["memory-of-tensorflow"]


frames = st.builds(
    Frame,
    st.sampled_from(["/w/a.py", "/w/b.py", "/elsewhere/c.py", "/x/site-packages/d.py"]),
    st.integers(0, 4),
    st.sampled_from(["", "f", "g"]),
)
stacks = st.lists(frames, max_size=7).map(tuple)


@given(rows=st.lists(st.tuples(stacks, st.integers(0, 1 << 50)), min_size=1, max_size=12), libraries=st.booleans())
def test_sums_are_exact_and_inclusive_times_are_those_of_hot_lines(profile_of, rows, libraries):
    profile = profile_of([(op_of(str(number), stack), time) for number, (stack, time) in enumerate(rows)])
    lines = hot_lines(profile, HERE)
    record = flame(profile, HERE, libraries=libraries)
    assert sum(row.self_ps for row in record.rows) == record.op_time_ps == lines.op_time_ps
    children = defaultdict(int)
    for row in record.rows:
        children[row.parent] += row.inclusive_ps
    for row in record.rows:
        assert row.inclusive_ps == row.self_ps + children[row.key]
        assert sum(phase.value for phase in row.phases) == row.inclusive_value
    assert children[None] == record.op_time_ps
    if not libraries:
        of_lines = {(line.file or line.path, line.line or None): line.inclusive_ps for line in lines.lines}
        assert inclusive_of_lines(record) == {line: time for line, time in of_lines.items() if time}
        assert lines.unattributed_ps == sum(row.self_ps for row in record.rows if row.kind != "frame")


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("libraries", [False, True])
def test_sums_are_exact_on_recorded_profiles(recorded, measure, libraries):
    record = flame(recorded, LineOptions(), measure, libraries=libraries, scope="window")
    assert record.op_time_ps == int(recorded.executions.self_ps.sum())
    assert sum(row.self_ps for row in record.rows) == record.op_time_ps
    assert sum(row.self_value for row in record.rows) == record.total
    assert sum(row.inclusive_value for row in record.rows if row.parent is None) == record.total


def test_inclusive_times_are_those_of_hot_lines_on_recorded_profiles(recorded):
    lines = hot_lines(recorded, LineOptions())
    record = flame(recorded, LineOptions())
    of_lines = {(line.file or line.path, line.line): line.inclusive_ps for line in lines.lines if line.inclusive_ps}
    assert inclusive_of_lines(record) == of_lines
    keys = {(line.file or line.path, line.line): line.key for line in lines.lines}
    frames = [row for row in record.rows if row.kind == "frame"]
    assert [row.line_key for row in frames] == [keys[row.file or row.path, row.line] for row in frames]
    assert len({row.key for row in record.rows}) == len(record.rows)


def test_self_bytes_are_those_of_the_lines_of_memory_on_recorded_profiles(recorded):
    lines = memory_lines(Subject.of(recorded), ProgramMemoryOptions())
    record = flame(recorded, LineOptions(), "memory")
    assert record.total == (lines.peak_bytes or 0)
    of_lines = defaultdict(int)
    for row in record.rows:
        if row.kind == "frame":
            of_lines[row.file or row.path, row.line] += row.self_value
    assert {line: size for line, size in of_lines.items() if size} == {
        (line.file or line.path, line.line): line.bytes for line in lines.lines if line.bytes
    }


def test_flops_are_those_of_the_ops(recorded):
    record = flame(recorded, LineOptions(), "flops")
    assert record.total == sum(entry.row.flops or 0 for entry in table_of(Subject.of(recorded)).entries)


def test_a_stack_of_thousands_of_frames_is_no_trouble(profile_of):
    deep = tuple(frame(1 + row) for row in range(5000))
    record = flame(profile_of([(op_of("a", deep), 10)]), HERE)
    assert len(record.rows) == 5000
    assert record.rows[-1].self_ps == record.rows[0].inclusive_ps == 10


def test_paths_are_named_as_in_hot_lines(recorded):
    options = LineOptions(roots=(str(Path("/")),))
    named = {(line.path, line.file) for line in hot_lines(recorded, options).lines if line.inclusive_ps}
    assert {(row.path, row.file) for row in flame(recorded, options).rows if row.kind == "frame"} == named


def test_starts_are_those_of_the_first_execution_below(profile_of):
    outer = frame(1)
    first, second = op_of("a", (frame(2), outer)), op_of("b", (frame(3), outer))
    record = flame(profile_of([(first, 10), (second, 20), (first, 10)]), HERE)
    assert {row.line: row.start_ps for row in record.rows} == {1: 0, 2: 0, 3: 10}
    assert all(isinstance(row.start_ps, int) and not isinstance(row.start_ps, np.integer) for row in record.rows)
