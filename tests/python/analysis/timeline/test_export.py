"""The export: every slice of a profile as jax reads it, and an account of what is left out."""

import io
import itertools
import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax.profiler import ProfileData

from made.findings import codes, said, values
from made.xspace import Line, plane, write
from scopelight.analysis.timeline import export
from scopelight.analysis.timeline.events.kernels import strands
from scopelight.analysis.timeline.export import (
    ExportCancelledError,
    export_timeline,
)
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.formats.chrome_trace.writer import microseconds, number, quoted
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.events import Events
from scopelight.formats.xspace.reader import read_xspace
from scopelight.model.opening.profile import open_profile
from scopelight.model.opening.slices import thread_name
from scopelight.report.findings.worded import in_terminal

FILES = {
    "tpu": "tpu-v6e-host-offload/tpu_inference_2.xplane.pb",
    "amd": "mi300x-conv/tw003.xplane.pb",
    "nvidia": "v100-tensorflow/worker.xplane.pb",
}


def left_out(result):
    """By kind, how many were not written."""
    return {each.code: each.values["count"] for each in result.findings}


def exported(timeline, **options):
    file = io.StringIO()
    result = export_timeline(timeline, file, in_terminal, **options)
    trace = json.loads(file.getvalue())
    processes, threads = {}, {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M" and event["name"] == "process_name":
            processes[event["pid"]] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            name = re.sub(r" \(overlapping \d+\)$", "", event["args"]["name"])
            threads[event["pid"], event["tid"]] = name
    return result, trace, processes, threads


def picoseconds(microseconds_as_double):
    """Exact for times up to half an hour, as what any reader of JSON gets."""
    return round(microseconds_as_double * 1e6)


def slices(trace):
    return [event for event in trace["traceEvents"] if event["ph"] == "X"]


@pytest.mark.parametrize("file", FILES)
def test_every_slice_is_there_as_jax_reads_it(shared_data, file):
    path = shared_data / FILES[file]
    timeline = open_timeline(path)
    result, trace, processes, threads = exported(timeline)
    space = read_xspace(path)
    events = [line.events() for plane in space.planes for line in plane.lines if line.has_times]
    first_ps = min(int(each.start_ps.min()) for each in events) + space.origin_ns * 1000
    found = Counter(
        (
            processes[event["pid"]],
            threads[event["pid"], event["tid"]],
            event["args"].get("long_name", event["name"]),
            # jax cuts the rest of a nanosecond off.
            (picoseconds(event["ts"]) + first_ps) // 1000,
            picoseconds(event["dur"]) // 1000,
        )
        for event in slices(trace)
    )
    sections = {section.plane: section.name for section in timeline.slices.sections}
    whole = Counter(
        (sections[plane.name], thread_name(line.name), event.name, int(event.start_ns), int(event.duration_ns))
        for plane in ProfileData.from_file(str(path)).planes
        for line in plane.lines
        if line.name != "_counters_"
        for event in line.events
    )
    assert result.events == found.total()
    assert found == whole


def test_arguments_are_there(shared_data):
    timeline = open_timeline(shared_data / FILES["amd"])
    _, trace, _, _ = exported(timeline)
    track = next(track for track in timeline.tracks if track.kind == "stream")
    arguments = dict(track.stored.arguments(0))
    event = next(
        each
        for each in slices(trace)
        if each["args"].get("correlation_id") == arguments["correlation_id"] and each["pid"] == 1
    )
    for name, value in arguments.items():
        assert event["args"][name] == value


def test_slices_of_a_thread_nest(shared_data):
    _, trace, _, _ = exported(open_timeline(shared_data / FILES["tpu"]))
    threads = {}
    for event in slices(trace):
        start, duration = picoseconds(event["ts"]), picoseconds(event["dur"])
        threads.setdefault(event["tid"], []).append((start, -duration))
    for events in threads.values():
        open_ends = []
        for start, negative in sorted(events):
            while open_ends and open_ends[-1] <= start:
                open_ends.pop()
            assert not open_ends or start - negative <= open_ends[-1]
            open_ends.append(start - negative)


def own_flows(path):
    """How many events take up what another one handed on, read from the stats of one event after the other."""
    begins, ends = {}, []
    for plane_ in read_xspace(path).planes:
        is_device = plane_.name.startswith("/device:")
        for line in plane_.lines:
            events = line.events()
            for row in range(len(events)):
                stats = events.own_stats(row)
                event = (plane_.name, line.place, row)
                sides = [("_p", "_pt", begins.setdefault), ("_c", "_ct", lambda key, of: ends.append((key, of)))]
                for identity, kind, add in sides:
                    if identity in stats:
                        add((stats.get(kind, 0), stats[identity] & (1 << 64) - 1), event)
                correlation = stats.get("correlation_id", 0)
                if correlation:
                    key = ("correlation", correlation)
                    ends.append((key, event)) if is_device else begins.setdefault(key, event)
    return sum(key in begins and begins[key] != event for key, event in ends)


@pytest.mark.parametrize("kind", ["amd", "nvidia"])
def test_there_are_as_many_flows_as_ids_that_meet(shared_data, kind):
    path = shared_data / FILES[kind]
    _, trace, _, _ = exported(open_timeline(path))
    assert sum(event["ph"] == "f" for event in trace["traceEvents"]) == own_flows(path)


def test_flows_begin_and_end_at_slices(shared_data):
    _, trace, _, _ = exported(open_timeline(shared_data / FILES["amd"]))
    starts = {(each["pid"], each["tid"], each["ts"]) for each in slices(trace)}
    flows = {}
    for event in trace["traceEvents"]:
        if event["ph"] in "sf":
            assert (event["pid"], event["tid"], event["ts"]) in starts
            flows.setdefault(event["id"], []).append((event["ph"], event["ts"]))
    assert len(flows) > 100
    assert all([phase for phase, _ in ends] == ["s", "f"] for ends in flows.values())
    assert len({event["pid"] for event in trace["traceEvents"] if event["ph"] == "f"}) > 1


def test_a_span_and_tracks_and_what_they_leave_out(shared_data):
    path = shared_data / FILES["tpu"]
    profile = open_profile(path)
    timeline = open_timeline(path)
    timeline = timeline.completed(profile, derive(timeline.slices, profile))
    whole, _, _, _ = exported(timeline)
    assert left_out(whole)["left-out-of-derived-tracks"] == sum(
        track.events for track in timeline.tracks if track.stored is None
    )
    middle = timeline.slices.duration_ps // 2
    before, trace, _, _ = exported(timeline, start_ps=0, end_ps=middle)
    after, _, _, _ = exported(timeline, start_ps=middle)
    across = sum(
        int(((track.lane().start_ps < middle) & (track.lane().end_ps > middle)).sum())
        for track in timeline.tracks
        if track.stored is not None
    )
    assert before.events + after.events == whole.events + across
    assert left_out(before)["left-out-outside-the-time"] == whole.events - before.events
    assert max(each["ts"] for each in slices(trace)) * 1e6 < middle
    chosen = [track for track in timeline.tracks if track.kind == "overlap"]
    some, trace, _, threads = exported(timeline, track_ids=[track.id for track in chosen])
    assert some.events == sum(track.events for track in chosen) == len(slices(trace))
    assert left_out(some)["left-out-on-other-tracks"] == sum(
        each.events for each in itertools.chain(timeline.tracks, timeline.slices.counters)
    ) - sum(track.events for track in chosen)
    assert set(threads.values()) == {track.name for track in chosen}
    assert trace["otherData"]["left out 1"] == said(some)


def test_progress_and_cancelling(shared_data):
    timeline = open_timeline(shared_data / FILES["nvidia"])
    parts = []
    exported(timeline, report=parts.append)
    assert parts == sorted(parts)
    assert parts[-1] == 1
    with pytest.raises(ExportCancelledError):
        export_timeline(timeline, io.StringIO(), in_terminal, is_cancelled=lambda: True)
    with pytest.raises(LookupError, match="no track"):
        export_timeline(timeline, io.StringIO(), in_terminal, track_ids=["nothing"])


spans = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=40)


@given(spans)
def test_strands_nest(given_spans):
    ordered = sorted(given_spans, key=lambda each: (each[0], -each[1]))
    start, duration = (np.array([each[side] for each in ordered], np.int64) for side in (0, 1))
    strand = strands(start, duration, 64)
    for each in set(strand.tolist()):
        open_ends = []
        for begin, length in zip(start[strand == each].tolist(), duration[strand == each].tolist(), strict=True):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            assert not open_ends or begin + length <= open_ends[-1]
            if length:
                open_ends.append(begin + length)


@given(st.integers(-(1 << 50), 1 << 50))
def test_times_are_exact(time_ps):
    text = microseconds(time_ps)
    assert json.loads(text) == pytest.approx(time_ps / 1e6, rel=1e-15)
    assert round(float(text) * 1e6) == time_ps


@pytest.mark.parametrize("value", [0, -5, 2**53, 2**53 + 1, -(2**64), 1.5, 1e300, float("inf"), float("nan")])
def test_numbers_are_those_of_json(value):
    parsed = json.loads(number(value), parse_constant=pytest.fail)
    assert parsed == value or parsed == str(value)


LANES = (
    Line("good", tuple((f"op.{place}", place * 10, 5) for place in range(6)), id=1),
    Line("bad", tuple((f"op.{place}", place * 10, 5) for place in range(4)), id=2),
)
MET, UNMET = b"\x22\x06\x08\x02", b"\x22\x06\x08\x0f"
"""The beginning of an event of ``op.1``, and of one whose metadata the plane does not have."""


def broken_file(folder, *places):
    """A file of two lanes in which events at some of the places of ``op.1`` name no metadata."""
    data = plane("/host:CPU", *LANES)
    parts = data.split(MET)
    assert len(parts) == 3
    joins = [UNMET if place in places else MET for place in range(2)]
    return write(folder / "a.xplane.pb", parts[0] + joins[0] + parts[1] + joins[1] + parts[2])


def test_a_broken_track_is_left_out_and_counted_with_the_reason(tmp_path):
    timeline = open_timeline(broken_file(tmp_path, 1))
    result, trace, _, threads = exported(timeline)
    assert result.events == len(slices(trace)) == 6
    assert set(threads.values()) == {"good"}
    assert codes(result) == ["left-out-of-unreadable-track"]
    assert values(result, "left-out-of-unreadable-track")["count"] == 4
    assert re.fullmatch(r"4 events of bad, which cannot be read \(.*metadata id 15.*\)", said(result))
    assert trace["otherData"]["left out 1"] == said(result)


def test_a_file_of_broken_tracks_alone_is_refused(tmp_path):
    with pytest.raises(FormatError, match="metadata id 15"):
        exported(open_timeline(broken_file(tmp_path, 0, 1)))


def test_broken_arguments_leave_their_events(tmp_path, monkeypatch):
    timeline = open_timeline(broken_file(tmp_path))
    whole = exported(timeline)[0]
    assert (whole.events, whole.findings) == (10, ())

    def refuse(*_):
        raise FormatError("a stat is broken")

    monkeypatch.setattr(Events, "stat_table", refuse)
    result, trace, _, _ = exported(timeline)
    assert result.events == len(slices(trace)) == 10
    assert {event["name"] for event in slices(trace)} == {f"op.{place}" for place in range(6)}
    assert left_out(result) == {"left-out-unreadable-arguments": 10}


def test_names_of_stats_are_written_for_those_that_occur_alone(tmp_path, monkeypatch):
    """A damaged file claimed 60,000 names on each of its 134 tracks."""
    written = []
    monkeypatch.setattr(export, "quoted", lambda text: written.append(text) or quoted(text))
    monkeypatch.setattr(Events, "stat_names", [f"stat {number}" for number in range(60_000)])
    exported(open_timeline(broken_file(tmp_path)))
    assert 0 < len(written) < 100


HOSTILE = b"".join(
    (
        plane("/device:GPU:0", Line("Stream #1", tuple((f"k.{place % 3}", place * 9, 5, place) for place in range(9)))),
        plane("/host:CPU", *LANES),
    )
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, len(HOSTILE) - 1), st.integers(0, 255)), min_size=1, max_size=3))
def test_any_bytes_are_exported_or_refused(tmp_path, changes):
    data = bytearray(HOSTILE)
    for place, value in changes:
        data[place] = value
    try:
        timeline = open_timeline(write(tmp_path / "a.xplane.pb", bytes(data)))
        result, trace, _, _ = exported(timeline)
    except FormatError as error:
        assert str(error)
        return
    counters = sum(event["ph"] == "C" for event in trace["traceEvents"])
    assert result.events == len(slices(trace)) + counters


def test_values_that_are_no_number_are_counted_and_not_written(tmp_path):
    written = (3.0, float("nan"), float("inf"), -float("inf"), -2.0)
    counted = Line("_counters_", tuple(("power (W)", 10 * at, 0, value) for at, value in enumerate(written)))
    file = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", counted))
    result, trace, _, _ = exported(open_timeline(file))
    assert left_out(result) == {"left-out-counter-values": 3}
    assert [event["args"]["value"] for event in trace["traceEvents"] if event["ph"] == "C"] == [3.0, -2.0]


def test_one_of_a_kind_is_told_as_one(tmp_path):
    counted = Line("_counters_", (("power (W)", 0, 0, 3.0), ("power (W)", 20, 0, float("nan"))))
    ops = Line("XLA Ops", (("%fusion.1 = f32[8] fusion()", 0, 10), ("%fusion.2 = f32[8] fusion()", 50, 10)))
    file = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", ops, counted))
    result, trace, _, _ = exported(open_timeline(file), end_ps=40)
    assert left_out(result) == {"left-out-outside-the-time": 1, "left-out-counter-values": 1}
    assert trace["otherData"]["left out 1"] == "1 event outside the time"
