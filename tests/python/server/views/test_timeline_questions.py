"""Questions to the timeline over the wire: from an op or a line to its executions, from an event to all of it."""

import asyncio
import json
import shutil
from collections import Counter

import pytest
import pytest_asyncio
from click.testing import CliRunner

from scopelight.cli.main import main

pytestmark = pytest.mark.asyncio

REQUEST_FAILED = -32803


@pytest_asyncio.fixture
async def shown(editor, captured):
    """An editor whose run's timeline is complete: the editor, and the record of the timeline."""
    await editor.show(captured.run)
    while True:
        view = await editor.result("scopelight/view/timeline", {})
        if view["record"]["complete"]:
            return editor, view["record"]
        await asyncio.sleep(0.2)


async def find(editor, matcher, **options):
    while True:
        found = await editor.result("scopelight/details/timelineFind", {"matcher": matcher, **options})
        if found["searched_ratio"] == 1:
            return found


def tracks(record):
    return [track for section in record["sections"] for track in section["tracks"] if track["kind"] != "counter"]


async def test_from_an_op_to_its_executions_and_back(shown):
    editor, _ = shown
    statistics = await editor.result("scopelight/view/ops", {"scope": "window"})
    product = next(row for row in statistics["record"]["rows"] if row["primitive"] == "dot_general")
    matcher = {"op_key": product["key"]}
    found = await find(editor, matcher)
    assert found["count"] == product["executions"] == sum(found["marks"])
    place = await editor.result(
        "scopelight/details/timelineFoundEvent", {"matcher": matcher, "ordinal": found["count"] - 1}
    )
    event = await editor.result("scopelight/details/timelineEvent", {"track": place["track"], "event": place["event"]})
    assert event["place"] == place
    assert event["op_key"] == product["key"]
    assert event["category"] == product["category"]
    assert event["program"].endswith(f"({product['program_id']})")
    assert product["shape"] in event["shapes"]
    arguments = {each["name"]: each["value"] for each in event["arguments"]}
    assert arguments["hlo_op"] == product["name"]
    assert arguments["run_id"] == event["run_id"]
    nearest = await editor.result(
        "scopelight/details/timelineEvent",
        {"track": place["track"], "depth": place["depth"], "at_ps": place["start_ps"]},
    )
    assert nearest["place"] == place


async def test_from_a_line_to_its_executions_and_back(shown, captured):
    editor, _ = shown
    lines = (await editor.result("scopelight/view/lines", {"scope": "window"}))["record"]["lines"]
    line = next(each for each in lines if each["file"] == str(captured.network))
    matcher = {"file": line["file"], "line": line["line"]}
    found = await find(editor, matcher)
    assert found["count"] == line["executions"]
    # A fusion's frames are those of one of its ops, which may be of another line: not each of the executions says it.
    frames = set()
    for ordinal in range(min(found["count"], 50)):
        place = await editor.result("scopelight/details/timelineFoundEvent", {"matcher": matcher, "ordinal": ordinal})
        asked = {"track": place["track"], "event": place["event"]}
        event = await editor.result("scopelight/details/timelineEvent", asked)
        frames |= {(frame["file"], frame["line"]) for frame in event["frames"] if frame["user"]}
    assert (line["file"], line["line"]) in frames
    window = await editor.result(
        "scopelight/details/timelineWindow",
        {
            "tracks": list(found["tracks"]),
            "depths": [8] * len(found["tracks"]),
            "start_ps": 0,
            "end_ps": 10**13,
            "width_px": 100,
            "matcher": matcher,
        },
    )
    assert window["boxes"]["has_matches"]


async def test_a_selection_agrees_with_its_table(shown):
    editor, record = shown
    whole = {"tracks": [track["id"] for track in tracks(record)], "start_ps": 0, "end_ps": record["duration_ps"] + 1}
    selection = await editor.result("scopelight/details/timelineSelection", whole)
    table = await editor.result("scopelight/details/timelineTable", {**whole, "first": 0, "count": 500})
    assert table["count"] == selection["count"]
    assert len(table["rows"]) == min(500, table["count"])
    starts = [row["place"]["start_ps"] for row in table["rows"]]
    assert starts == sorted(starts)


async def test_the_names_of_a_selection_are_all_of_it(shown):
    editor, record = shown
    # There may be more names than are listed of a host's threads, and of many steps, each of which is a name: how many
    # there are depends on what was compiled in the window, and on how busy the machine was.
    device = [track["id"] for track in tracks(record) if track["id"].startswith("device:")]
    few_steps = {"tracks": device, "start_ps": 0, "end_ps": record["steps"]["start_ps"][:20][-1]}
    selection = await editor.result("scopelight/details/timelineSelection", few_steps)
    assert len(selection["rows"]) == selection["names"] > 0
    assert selection["count"] == sum(row["count"] for row in selection["rows"])
    assert selection["total_ps"] == sum(row["total_ps"] for row in selection["rows"])


async def test_the_export_holds_what_is_there(shown, tmp_path):
    editor, record = shown
    output = tmp_path / "trace.json"
    result = await editor.result("scopelight/exportTimeline", {"output": str(output), "workDoneToken": "export"})
    trace = json.loads(output.read_text())
    kinds = Counter(event["ph"] for event in trace["traceEvents"])
    assert result["path"] == str(output)
    # The lines on which the script stood are recorded beside the trace.
    lines = sum(track["events"] for track in tracks(record) if track["kind"] == "lines")
    assert result["events"] == kinds["X"] + kinds["C"] == record["events"] + lines
    assert lines > 0
    assert list(tmp_path.iterdir()) == [output]
    begun = await editor.next("$/progress", lambda params: params["token"] == "export")
    assert "trace.json" in begun["value"]["title"]


async def test_the_command_line_exports_the_same(shown, captured, tmp_path):
    editor, _ = shown
    result = await editor.result("scopelight/exportTimeline", {"output": str(tmp_path / "panel.json")})
    told = CliRunner().invoke(main, ["export", str(captured.run), "--out", str(tmp_path / "terminal.json")])
    assert told.output.startswith(f"{result['events']:,} events")


async def test_from_gap_to_gap(shown):
    editor, record = shown
    forward = await editor.result("scopelight/details/timelineGap", {"section": None, "at_ps": -1, "is_after": True})
    place = forward["place"]
    assert place["duration_ps"] >= forward["least_ps"]
    event = await editor.result("scopelight/details/timelineEvent", {"track": place["track"], "event": place["event"]})
    assert sum(part["time_ps"] for part in event["gap"]["parts"]) == place["duration_ps"]
    back = await editor.result(
        "scopelight/details/timelineGap", {"at_ps": place["start_ps"] + 1, "is_after": False, "section": "no section"}
    )
    assert back["place"] == place
    assert place["track"] in {track["id"] for track in tracks(record)}


async def test_a_gap_leads_to_the_launch_of_what_ended_it(shown):
    editor, record = shown
    track = next(each for each in tracks(record) if each["name"] == "Free time")
    asked = [{"track": track["id"], "event": number} for number in range(track["events"])]
    events = [await editor.result("scopelight/details/timelineEvent", each) for each in asked]
    launched = [each for each in events if each["gap"] is not None and each["gap"]["launched_by"] is not None]
    # Each run was launched on a thread of the host, and then ran; gaps inside of runs have no launch of theirs.
    assert launched
    for event in launched:
        ended_by, launched_by = event["gap"]["ended_by"]["place"], event["gap"]["launched_by"]["place"]
        assert launched_by["track"].startswith("host:")
        assert launched_by["start_ps"] <= ended_by["start_ps"]
        assert ended_by["start_ps"] >= event["place"]["start_ps"] + event["place"]["duration_ps"]


async def test_what_cannot_be_answered_is_said(shown, tmp_path):
    editor, record = shown
    track = tracks(record)[0]["id"]
    missing = {"track": "no such track", "event": 0}
    assert await editor.error("scopelight/details/timelineEvent", missing) == (
        REQUEST_FAILED,
        "The timeline has no track 'no such track'.",
    )
    code, message = await editor.error("scopelight/details/timelineEvent", {"track": track, "event": 10**15})
    assert code == REQUEST_FAILED
    assert "none of the number" in message
    code, message = await editor.error(
        "scopelight/exportTimeline", {"output": str(tmp_path / "no" / "such" / "folder.json")}
    )
    assert code == REQUEST_FAILED
    assert "cannot be written" in message
    found = await find(editor, {"text": "(", "regex": True})
    assert found["count"] == 0
    assert "not understood" in found["failure"]
    assert (await find(editor, {"op_key": "no/such"}))["count"] == 0
    huge = {"tracks": [track], "start_ps": -(10**30), "end_ps": 10**30}
    assert (await editor.result("scopelight/details/timelineSelection", huge))["count"] > 0
    page = {**huge, "first": 10**30, "count": 10**30}
    assert (await editor.result("scopelight/details/timelineTable", page))["rows"] == []


async def test_a_file_needs_no_shown_run(start_editor, extension_options, shared_data):
    editor = await start_editor()
    await editor.initialize(options=extension_options)
    path = str(shared_data / "mi300x-conv" / "tw003.xplane.pb")
    found = await find(editor, {"text": "conv"}, path=path)
    assert found["count"] > 0
    assert await editor.error("scopelight/details/timelineFind", {"matcher": {"text": "conv"}}) == (
        REQUEST_FAILED,
        "No run is shown: open one first.",
    )


async def test_an_export_does_not_replace_its_profile(start_editor, extension_options, shared_data, tmp_path):
    editor = await start_editor()
    await editor.initialize(options=extension_options)
    profile = tmp_path / "tw003.xplane.pb"
    shutil.copy(shared_data / "mi300x-conv" / "tw003.xplane.pb", profile)
    before = profile.read_bytes()
    asked = {"path": str(profile), "output": str(profile)}
    assert await editor.error("scopelight/exportTimeline", asked) == (
        REQUEST_FAILED,
        f"{profile} is the profile itself: choose another file.",
    )
    assert profile.read_bytes() == before
