"""One event: what the profile says of it, what it belongs to, and what it led to."""

import attrs
import numpy as np
import pytest

from made.recorded import FILE_OF_BACKEND
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.timeline.events.arguments import LONGEST_VALUE, argument_records, argument_text
from scopelight.analysis.timeline.events.event import _run_id, event_record, frame_records
from scopelight.analysis.timeline.events.executions import executions_of
from scopelight.analysis.timeline.events.ops_of_line import ops_of_line
from scopelight.analysis.timeline.events.table import event_table
from scopelight.analysis.timeline.lookups import Lookups
from scopelight.analysis.timeline.records import TimelineMatcher
from scopelight.analysis.timeline.search.names import NameIndices
from scopelight.analysis.timeline.search.search import Search
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.totals.frames import LineOptions, UserFrames
from scopelight.model.opening.profile import open_profile
from scopelight.program.hlo.frames import Frame


@pytest.fixture(scope="module")
def lookups(shared_data):
    found = {}
    for name, file in FILE_OF_BACKEND.items():
        profile, timeline = open_profile(shared_data / file), open_timeline(shared_data / file)
        found[name] = Lookups(timeline.completed(profile, derive(timeline.slices, profile)))
    return found


def first_of(lookups, kind, name, section=""):
    """Track and number of the first slice of a kind of track whose shown name begins so."""
    timeline = lookups.timeline
    for track in timeline.tracks:
        if track.kind == kind and section in track.id:
            for number, each in enumerate(track.lane().name.tolist()):
                if timeline.slices.names.shown(each).startswith(name):
                    return track, number
    raise AssertionError(f"no {name} on {kind}")


def keyed(lookup, event):
    """Program and name of the ops that have the key of an event."""
    executions = lookup.timeline.profile.executions
    ops = [executions.ops[row] for row in lookup.ops_of_key(event.op_key)]
    return sorted({(executions.programs[op.program].program_id, op.name) for op in ops})


def test_an_op_of_a_tpu(lookups):
    lookup = lookups["tpu"]
    track, number = first_of(lookup, "ops", "broadcast_add_fusion")
    event = event_record(lookup, track, number)
    assert event.shown_name == "broadcast_add_fusion.2"
    assert event.place.name.startswith("%broadcast_add_fusion.2 = f32[5,1024,1024,256]")
    assert event.program == "jit_f(12190760917235803885)"
    assert event.category == "loop fusion"
    assert keyed(lookup, event) == [("12190760917235803885", "broadcast_add_fusion.2")]
    assert event.op_name == "jit(f)/jit(main)/add"
    assert event.shapes == "(f32[5,1024,1024,256]) → f32[5,1024,1024,256]"
    assert event.frames[0].function.endswith("process")
    assert all(frame.user for frame in event.frames[:3])
    assert event.self_ps == event.place.duration_ps
    arguments = {each.name: each.value for each in event.arguments}
    assert arguments["bytes_accessed"] == "10737418240"
    assert arguments["memory_access_breakdown"].endswith(" bytes")


def test_an_asynchronous_op_is_of_the_op_that_it_names(lookups):
    lookup = lookups["tpu"]
    track = next(track for track in lookup.timeline.tracks if track.kind == "async")
    event = event_record(lookup, track, 0)
    named = {each.name: each.value for each in event.arguments}
    assert keyed(lookup, event) == [(named["program_id"], named["hlo_op"])]
    assert event.program.startswith("jit_f(")


def test_a_launch_leads_to_its_kernel_and_back(lookups):
    lookup = lookups["amd"]
    track, number = first_of(lookup, "thread", "hipModuleLaunchKernel")
    launch = event_record(lookup, track, number)
    assert [flow.outgoing for flow in launch.flows] == [True]
    place = launch.flows[0].place
    assert "/device:GPU" in place.track
    kernel = event_record(lookup, lookup.timeline.track(place.track), place.event)
    assert [(flow.outgoing, flow.place) for flow in kernel.flows] == [(False, launch.place)]
    assert kernel.place.start_ps >= launch.place.start_ps


def test_flows_say_which_of_their_ends_are_ops(lookups):
    lookup = lookups["amd"]
    track, number = first_of(lookup, "thread", "hipModuleLaunchKernel")
    (to_kernel,) = event_record(lookup, track, number).flows
    kernel = event_record(lookup, lookup.timeline.track(to_kernel.place.track), to_kernel.place.event)
    assert (to_kernel.shown_name, to_kernel.op.primitive) == (kernel.shown_name, kernel.primitive)
    (to_launch,) = kernel.flows
    assert (to_launch.shown_name, to_launch.op) == ("hipModuleLaunchKernel", None)


def test_the_table_names_ops_as_the_event_alone_does(lookups):
    for name, lookup in lookups.items():
        timeline, named = lookup.timeline, set()
        for track in timeline.tracks:
            for row in event_table(lookup, [track.id], 0, timeline.slices.duration_ps, 0, 400).rows[::7]:
                event, op = event_record(lookup, track, row.place.event), row.op
                assert row.shown_name == event.shown_name
                assert (op is not None) == (event.op_key is not None and track.kind != "thread")
                if op is not None:
                    line = next(((frame.path, frame.line) for frame in event.frames if frame.user), (None, None))
                    assert (op.primitive, op.phase, (op.path, op.line)) == (event.primitive, event.phase, line)
                    named.add((track.kind, op.primitive != ""))
        assert {kind for kind, _ in named} == ({"ops", "async"} if name == "tpu" else {"ops", "stream"})
        assert ("ops", True) in named


def test_the_table_names_no_op_while_the_profile_is_being_read(shared_data):
    lookup = Lookups(open_timeline(shared_data / FILE_OF_BACKEND["tpu"]))
    ids = [track.id for track in lookup.timeline.tracks]
    assert {row.op for row in event_table(lookup, ids, 0, lookup.timeline.slices.duration_ps, 0, 2_000).rows} == {None}


def test_flows_go_both_ways(lookups):
    for lookup in lookups.values():
        timeline = lookup.timeline
        checked = 0
        for track in timeline.tracks:
            if track.stored is None:
                continue
            for number in range(0, len(track.lane()), max(1, len(track.lane()) // 15)):
                others = lookup.flows.of(track, number, track.stored.arguments(number))
                assert (track, number) not in {each[1:] for each in others}
                for outgoing, other, event in others[:3]:
                    back = lookup.flows.of(other, event, other.stored.arguments(event))
                    if len(back) < 64:
                        assert (not outgoing, track, number) in back
                    checked += 1
        assert checked > 20


def test_a_run_of_a_tpu_comes_from_what_enqueued_it(lookups):
    lookup = lookups["tpu"]
    track, number = first_of(lookup, "modules", "jit_f")
    event = event_record(lookup, track, number)
    assert [(flow.outgoing, flow.place.name) for flow in event.flows] == [(False, "DoEnqueueProgram")]
    assert event.run_id == {each.name: each.value for each in event.arguments}["run_id"]


def test_ids_of_runs_are_those_that_the_runtime_prints(lookups):
    lookup = lookups["tpu"]
    executions, runs = lookup.timeline.profile.executions, lookup.timeline.profile.runs
    row = int(np.flatnonzero(executions.run >= 0)[0])
    recorded = runs.run_id[executions.run[row]]
    recorded = str(recorded.astype(np.int64))
    unsigned = int(np.int64(-511027905).astype(np.uint64))
    assert unsigned == 18446744073198523711
    for value, run_id in (
        (-511027905, "-511027905"),
        (unsigned, "-511027905"),
        (7, "7"),
        (0, recorded),
        ("", recorded),
    ):
        assert _run_id(lookup, row, {"run_id": value}) == run_id
    assert _run_id(lookup, None, {"run_id": 0}) is None


def test_rows_that_were_worked_out_say_what_they_are(lookups):
    kinds = set()
    for lookup in lookups.values():
        for track in lookup.timeline.tracks:
            if track.events and track.stored is None and track.kind in ("steps", "modules", "scopes", "overlap"):
                event = event_record(lookup, track, 0)
                assert event.findings == (track.meaning,)
                assert (event.arguments, event.category, event.op_key) == ((), None, None)
                kinds.add(track.kind)
            elif track.stored is not None:
                assert track.meaning is None
    assert kinds >= {"steps", "modules", "overlap"}


def test_steps_count_from_one(lookups):
    lookup = lookups["tpu"]
    steps = lookup.timeline.derived.steps
    assert lookup.step_of(steps.start_ps[0], 0) == 1
    assert lookup.step_of(steps.start_ps[0] - 1, 0) is None
    assert lookup.step_of(steps.start_ps[-1] + steps.duration_ps[-1] - 1, 0) == len(steps.start_ps)
    assert lookup.step_of(steps.start_ps[-1] + steps.duration_ps[-1], 0) is None


def test_an_event_that_begins_just_before_a_step_is_of_that_step(lookups):
    lookup = lookups["tpu"]
    steps = lookup.timeline.derived.steps
    assert lookup.step_of(steps.start_ps[1] - 10, steps.duration_ps[1]) == 2
    # What goes on for longer than steps is of the one it starts in, or of none.
    assert lookup.step_of(steps.start_ps[0] + 10, 10 * steps.start_ps[-1]) == 1
    assert lookup.step_of(steps.start_ps[0] - 10, 10 * steps.start_ps[-1]) is None


def test_without_the_profile_an_event_is_what_its_lane_says(shared_data):
    lookup = Lookups(open_timeline(shared_data / FILE_OF_BACKEND["tpu"]))
    track, number = first_of(lookup, "ops", "broadcast_add_fusion")
    event = event_record(lookup, track, number)
    assert (event.step, event.op_key) == (None, None)
    assert event.category == "loop fusion"
    assert event.program == "12190760917235803885"
    assert event.arguments
    assert event.frames


def test_what_repeats_in_a_stack_is_shown_once():
    """As the stack of a body of a scan is, below that of its call."""
    block, loss, step, main = (Frame("/w/train.py", line, "f") for line in (4, 3, 2, 1))
    stack = (block, loss, step, loss, step, loss, step, main)
    shown = frame_records(stack, UserFrames(LineOptions(roots=("/w",)), None))
    assert [(frame.line, frame.user) for frame in shown] == [(4, True), (3, True), (2, True), (1, True)]


def test_frames_of_the_python_tracer_have_no_folder(lookups):
    timeline = lookups["amd"].timeline
    track, number = first_of(lookups["amd"], "thread", "$")
    event = event_record(lookups["amd"], track, number)
    assert timeline.slices.names.text(int(track.lane().name[number])).startswith("$")
    for frame in event.frames:
        assert (frame.file is None) == ("/" not in frame.path)


def test_keys_are_those_of_the_table_of_ops(lookups):
    for lookup in lookups.values():
        for entry in op_table(lookup.timeline.profile).entries:
            assert {lookup.op_key(row) for row in entry.ops} == {entry.row.key}
            assert set(lookup.ops_of_key(entry.row.key)) == set(entry.ops)


def test_executions_of_a_line_are_found(lookups):
    timeline = lookups["tpu"].timeline
    table = op_table(timeline.profile)
    lines = {(entry.row.file, entry.row.line) for entry in table.entries if entry.row.file}
    assert lines
    for file, line in lines:
        ops = ops_of_line(table, file, line)
        expected = int(np.isin(timeline.profile.executions.op, ops).sum())
        search = Search(timeline, TimelineMatcher(file=file, line=line), NameIndices(timeline.slices.names), ops)
        search.advance(None, 60)
        assert search.record(0, None).count == expected > 0
        place = search.event(0, None)
        track = timeline.track(place.track)
        assert timeline.profile.executions.op[executions_of(timeline, track)[place.event]] in ops
    assert ops_of_line(table, "nowhere.py", 1) == []


def test_long_arguments_are_cut_and_say_so():
    whole = "x" * (LONGEST_VALUE + 5)
    records = argument_records({"text": whole, "short": "y", "bytes": b"abc", "number": -(2**63), "ratio": 0.5})
    values = {each.name: each.value for each in records}
    assert values["text"].startswith("x" * LONGEST_VALUE + "…")
    assert values["text"].endswith("(the first 10,000 of 10,005 characters)")
    assert (values["short"], values["bytes"], values["ratio"]) == ("y", "3 bytes", "0.5")
    assert values["number"] == str(-(2**63)) == argument_text(-(2**63))


def test_records_are_what_json_can_hold(lookups):
    for lookup in lookups.values():
        for track in lookup.timeline.tracks[::7]:
            if len(track.lane()):
                record = attrs.asdict(event_record(lookup, track, len(track.lane()) // 2))
                assert record["place"]["track"] == track.id
