"""The timeline over the wire: drawn from its headers on, complete when the profile is read."""

import asyncio
import base64
import os

import numpy as np
import pytest

from made.findings import codes, said
from made.xspace import Line, plane, write

pytestmark = pytest.mark.asyncio

REQUEST_FAILED = -32803


async def complete(editor, options):
    """The timeline's view once its profile is read."""
    while True:
        view = await editor.result("scopelight/view/timeline", options)
        if view["record"]["complete"]:
            return view
        await asyncio.sleep(0.05)


async def ready(editor, options):
    """A window of which every track was read."""
    while True:
        window = await editor.result("scopelight/details/timelineWindow", options)
        if all(track["ready"] for track in window["tracks"]):
            return window


def whole(record, **changes):
    tracks = [track["id"] for section in record["sections"] for track in section["tracks"]]
    return {
        "tracks": tracks,
        "depths": [100] * len(tracks),
        "start_ps": 0,
        "end_ps": record["duration_ps"],
        "width_px": 1_000,
        **changes,
    }


async def test_the_shown_run_is_drawn(editor, captured):
    opened = await editor.show(captured.run)
    view = await complete(editor, {})
    record = view["record"]
    assert view["run"] == opened
    assert record["findings"] == []
    assert record["steps"]["start_ps"]
    assert [section["kind"] for section in record["sections"]] == ["device", "host"]
    assert record["busy"].keys() == {record["sections"][0]["id"]}
    kinds = {track["kind"] for section in record["sections"] for track in section["tracks"]}
    assert {"steps", "modules", "ops", "scopes", "overlap", "thread"} <= kinds
    window = await ready(editor, whole(record))
    boxes = window["boxes"]
    assert 0 < boxes["boxes"] <= 20_000
    assert len(boxes["packed"]) <= 300_000
    data = base64.b64decode(boxes["packed"])
    durations = np.frombuffer(data, "<f8", boxes["boxes"], 8 * boxes["boxes"])
    assert (durations >= 0).all()
    at = 16 * boxes["boxes"] + 8 * boxes["merged"] + 4 * (boxes["rows"] + 1)
    ids = np.unique(np.frombuffer(data, "<u4", boxes["boxes"], at)).tolist()
    names = await editor.result("scopelight/details/timelineNames", {"ids": ids})
    assert len(names["names"]) == len(names["shown"]) == len(ids)
    assert all(names["shown"])
    assert any(name.startswith("dot") for name in names["shown"])
    assert "dot_general" in {op["primitive"] for op in names["ops"] if op is not None}


async def test_a_file_is_drawn_without_being_the_shown_run(editor, tmp_path):
    file = write(
        tmp_path / "a.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", (("op.1", 10, 30), ("op.2", 50, 50)))),
        plane("/host:CPU", Line("python", (("$train.py:1 main", 0, 200),))),
    )
    view = await complete(editor, {"path": str(file)})
    record = view["record"]
    assert view["run"] is None
    assert record["duration_ps"] == 200
    window = await ready(editor, whole(record, path=str(file), tracks=["device:/device:TPU:0/XLA Ops"], depths=[1]))
    assert window["tracks"][0]["busy_ps"] == 80
    assert window["boxes"]["boxes"] == 2


async def test_a_file_that_changed_is_read_anew_and_told_as_another(editor, tmp_path):
    file = tmp_path / "a.xplane.pb"
    contents = set()
    for name, duration in (("op", 70), ("op", 9_000), ("another", 9_000)):
        write(file, plane("/device:TPU:0", Line("XLA Ops", ((name, 0, duration),))))
        view = await complete(editor, {"path": str(file)})
        assert view["record"]["duration_ps"] == duration
        assert (await complete(editor, {"path": str(file)}))["contents"] == view["contents"]
        contents.add(view["contents"])
    assert len(contents) == 3


async def test_what_is_written_beside_a_profile_makes_it_no_other(editor, captured):
    run = str(captured.run)
    before = (await complete(editor, {"path": run}))["contents"]
    await editor.result("scopelight/pinRun", {"path": run, "pinned": True})
    after = (await complete(editor, {"path": run}))["contents"]
    await editor.result("scopelight/pinRun", {"path": run, "pinned": False})
    assert (bool(before), after) == (True, before)


async def test_a_file_that_is_cut_short_while_it_is_open_ends_nothing(editor, tmp_path):
    names = [f"op.{number}" for number in range(20_000)]
    file = write(
        tmp_path / "a.xplane.pb",
        plane("/device:TPU:0", Line("XLA Ops", tuple((name, 20 * at, 10, at) for at, name in enumerate(names)))),
        plane("/host:CPU", Line("python", (("$train.py:1 main", 0, 200),))),
    )
    path = {"path": str(file)}
    record = (await complete(editor, path))["record"]
    tracks = ["device:/device:TPU:0/XLA Ops"]
    window = whole(record, **path, tracks=tracks, depths=[1])
    drawn = await ready(editor, window)
    # All but the first page of the file is gone from memory that was mapped.
    os.truncate(file, 100)
    sentence = "it became shorter while it was open: wait until it is written whole"
    span = {"start_ps": 0, "end_ps": record["duration_ps"]}
    of_table = {**path, **span, "tracks": tracks, "first": 0, "count": 10}
    found = {"text": "op.1", "regex": False, "arguments": True, "op_key": None, "file": None, "line": None}
    for method, params in (
        ("timelineEvent", {**path, "track": tracks[0], "event": 19_000, "depth": 0, "at_ps": 0}),
        ("timelineNames", {**path, "ids": [19_000]}),
        ("timelineFind", {**path, "matcher": found, "tracks": tracks, "at_ps": 0}),
        ("timelineTable", of_table),
    ):
        answer = await editor.ask(f"scopelight/details/{method}", params)
        if "error" in answer:
            assert (answer["error"]["code"], sentence in answer["error"]["message"]) == (REQUEST_FAILED, True), method
        elif method == "timelineFind":
            assert sentence in said(answer["result"]) or answer["result"]["failure"]
        else:
            pytest.fail(f"{method} was answered of a file that is gone: {answer}")
    # What is drawn was read before; who asks for the panel again is told what the file is now.
    assert (await editor.result("scopelight/details/timelineWindow", window))["boxes"] == drawn["boxes"]
    code, told = await editor.error("scopelight/view/timeline", path)
    assert code == REQUEST_FAILED
    assert "is not a readable profile" in told


async def test_nothing_to_draw_says_why(editor, tmp_path):
    program = tmp_path / "step.txt"
    program.write_text("HloModule m\n\nENTRY %main () -> f32[] {\n  ROOT %c = f32[] constant(1)\n}\n")
    record = (await editor.result("scopelight/view/timeline", {"path": str(program)}))["record"]
    assert record["complete"]
    assert "compiled program" in said(record, "empty")
    assert record["findings"][0]["action"]["command"] == "profile-script"
    assert "scopelight" not in said(record, "empty"), "the page has a button"
    empty = write(tmp_path / "empty.xplane.pb", plane("/host:CPU"))
    record = (await editor.result("scopelight/view/timeline", {"path": str(empty)}))["record"]
    assert codes(record) == ["no-event-with-time"]


async def test_what_cannot_be_drawn_is_a_sentence(editor, tmp_path):
    file = write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", (("op", 0, 7),))))
    broken = write(tmp_path / "b.xplane.pb", file.read_bytes().replace(b"\x22\x06\x08\x01", b"\x22\x06\x08\x07"))
    window = {"tracks": [], "depths": [], "start_ps": 0, "end_ps": 7, "width_px": 10}
    path = {"path": str(file)}
    for method, params, words in (
        ("view/timeline", {}, "No run is shown"),
        ("view/timeline", {"path": str(tmp_path / "absent")}, "no such file"),
        ("details/timelineWindow", window, "No run is shown"),
        ("details/timelineWindow", {**window, **path, "tracks": ["x"], "depths": [1]}, "no track 'x'"),
        ("details/timelineWindow", {**window, **path, "end_ps": 1 << 80}, "A window needs"),
        ("details/timelineNames", {"ids": [99], **path}, "no such names"),
        ("details/timelineNames", {"ids": [-1], **path}, "no such names"),
        (
            "details/timelineWindow",
            {**window, "path": str(broken), "tracks": ["device:/device:TPU:0/XLA Ops"], "depths": [1]},
            "metadata id 7",
        ),
    ):
        code, sentence = await editor.error(f"scopelight/{method}", params)
        assert code == REQUEST_FAILED
        assert words in sentence
    record = (await complete(editor, {"path": str(broken)}))["record"]
    assert "metadata id 7" in said(record, "warning")
