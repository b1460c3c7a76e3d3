"""The runs of the workspace folders, and captures that are followed."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import time

import pytest

from scopelight.model.run.information import CaptureProgress
from scopelight.server.runs.capture_progress import progress_message

pytestmark = pytest.mark.asyncio


@pytest.fixture
def folder_with_run(captured, tmp_path):
    folder = tmp_path / "second"
    shutil.copytree(captured.run, folder / ".scopelight" / "copied")
    return folder


def listed(answer):
    return [run["path"] for run in answer["runs"]]


async def test_runs_of_added_folders_are_listed_and_of_removed_ones_not(editor, captured, folder_with_run):
    copied = str(folder_with_run / ".scopelight" / "copied")
    assert listed(await editor.result("scopelight/runs")) == [str(captured.run)]
    folder = {"uri": folder_with_run.as_uri(), "name": "second"}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
    assert sorted(listed(await editor.result("scopelight/runs"))) == sorted([str(captured.run), copied])
    removed = {"uri": captured.folder.as_uri(), "name": "first"}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [removed]}})
    assert listed(await editor.result("scopelight/runs")) == [copied]


async def test_a_changed_folder_changes_how_the_shown_run_names_its_files(editor, captured):
    await editor.show(captured.run)
    assert (await editor.next("scopelight/shownRun"))["run"]["hottest"]["path"] in ("network.py", "train.py")
    parent = {"uri": captured.folder.parent.as_uri(), "name": "parent"}
    folder = {"uri": captured.folder.as_uri(), "name": "first"}
    editor.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [parent], "removed": [folder]}})
    path = (await editor.next("scopelight/shownRun"))["run"]["hottest"]["path"]
    assert path.startswith(f"{captured.folder.name}/")


async def test_pinning_is_written_and_told(start_editor, folder_with_run, extension_options):
    editor = await start_editor()
    await editor.initialize(folder_with_run, options=extension_options)
    run = folder_with_run / ".scopelight" / "copied"
    before = json.loads((run / "run.json").read_text())
    await editor.result("scopelight/pinRun", {"path": str(run), "pinned": True})
    await editor.next("scopelight/runsChanged")
    assert json.loads((run / "run.json").read_text()) == {**before, "pinned": True}
    assert [run["pinned"] for run in (await editor.result("scopelight/runs"))["runs"]] == [True]
    await editor.result("scopelight/pinRun", {"path": str(run), "pinned": False})
    assert [run["pinned"] for run in (await editor.result("scopelight/runs"))["runs"]] == [False]


async def test_pinning_what_is_no_run_gets_a_sentence(editor, tmp_path):
    code, sentence = await editor.error("scopelight/pinRun", {"path": str(tmp_path), "pinned": True})
    assert code == -32803
    assert "not the description of a run" in sentence


async def test_a_run_that_appears_or_goes_is_told(start_editor, folder_with_run, extension_options):
    editor = await start_editor()
    await editor.initialize(folder_with_run, options=extension_options)
    runs = folder_with_run / ".scopelight"
    told = asyncio.create_task(editor.next("scopelight/runsChanged"))
    number = 0
    # Only what changes after the first look is a change, and when that was is not told.
    while not (await asyncio.wait([told], timeout=3))[0]:
        number += 1
        shutil.copytree(runs / "copied", runs / f"another{number}")
    shutil.rmtree(runs / f"another{number}")
    await editor.next("scopelight/runsChanged")


def write_state(run, **fields):
    run.mkdir(parents=True, exist_ok=True)
    partial = run / "partial"
    partial.write_text(json.dumps({"format_version": 1, **fields}))
    partial.replace(run / "run.json")


async def test_a_capture_is_followed_to_its_end(editor, tmp_path):
    run = tmp_path / "run"
    _, answer = editor.begin("scopelight/followCapture", {"path": str(run), "workDoneToken": "capture"})

    def reported(message):
        return editor.next("$/progress", lambda params: params["value"].get("message") == message)

    await reported("starting")
    write_state(run, state="running", progress={"stage": "compiling", "programs": 3, "pid": os.getpid()})
    await reported("compiling (3 programs)")
    write_state(run, state="running", progress={"stage": "measuring", "pid": os.getpid()})
    await reported("waiting for 3 steps that repeat: none seen so far (0 s)")
    write_state(run, state="captured", progress={"stage": "captured"})
    ended = {"path": str(run), "stage": "captured", "failure": None, "out_of_memory": False, "error": None}
    assert (await answer)["result"] == ended


async def test_a_failed_capture_says_why(editor, tmp_path):
    write_state(tmp_path / "run", state="failed", failure="The script ended before jax ran.")
    followed = await editor.result("scopelight/followCapture", {"path": str(tmp_path / "run")})
    assert (followed["stage"], followed["failure"]) == ("failed", "The script ended before jax ran.")


async def test_a_capture_whose_process_is_gone_has_failed(editor, tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    write_state(tmp_path / "run", state="running", progress={"stage": "compiling", "pid": ended.pid})
    followed = await editor.result("scopelight/followCapture", {"path": str(tmp_path / "run")})
    assert followed["stage"] == "failed"
    assert "ended before it had saved" in followed["failure"]


async def test_a_run_whose_capture_was_killed_is_listed_as_failed(editor, captured):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    killed = captured.run.with_name("killed")
    try:
        write_state(killed, state="running", progress={"stage": "compiling", "pid": ended.pid})
        listed_runs = {run["path"]: run for run in (await editor.result("scopelight/runs"))["runs"]}
        assert listed_runs[str(killed)]["state"] == "failed"
        assert "ended before it had saved" in listed_runs[str(killed)]["failure"]
        assert listed_runs[str(captured.run)]["state"] == "captured"
        write_state(killed, state="running", progress={"stage": "compiling", "pid": os.getpid()})
        listed_runs = {run["path"]: run for run in (await editor.result("scopelight/runs"))["runs"]}
        assert listed_runs[str(killed)]["state"] == "running"
    finally:
        shutil.rmtree(killed)


async def test_to_cancel_is_to_stop_waiting(editor, tmp_path):
    number, answer = editor.begin("scopelight/followCapture", {"path": str(tmp_path / "run"), "workDoneToken": 1})
    await editor.next("$/progress", lambda params: params["value"]["kind"] == "begin")
    editor.notify("$/cancelRequest", {"id": number})
    assert (await answer)["error"]["code"] == -32800


SECOND = 10**9


@pytest.mark.parametrize(
    ("seconds_in", "message"),
    [
        (-1, "waiting for the window (1 s)"),
        (0.1, "step 1 of 5"),
        (2.5, "step 3 of 5"),
        (4.99, "step 5 of 5"),
        (6, "saving (1 s)"),
    ],
)
async def test_the_step_is_told_from_the_clock(seconds_in, message):
    state = CaptureProgress("capturing", steps=5, started_ns=100 * SECOND, period_seconds=1.0, seconds=5.0)
    assert progress_message(state, round((100 + seconds_in) * SECOND)) == message


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (CaptureProgress("starting"), "starting"),
        (CaptureProgress("compiling"), "compiling"),
        (CaptureProgress("compiling", programs=1), "compiling (1 program)"),
        (CaptureProgress("capturing", started_ns=SECOND), "capturing until the script ends (4 s)"),
        (CaptureProgress("capturing", started_ns=SECOND, seconds=30.0), "capturing, 4 of 30 s"),
    ],
)
async def test_what_is_not_known_of_a_capture_is_not_told(state, message):
    assert progress_message(state, 5 * SECOND) == message


def since(seconds, stage, **fields):
    return CaptureProgress(stage, since_ns=(100 - seconds) * SECOND, **fields)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (since(3, "starting"), "starting: waiting for the script to import jax (3 s)"),
        (since(1, "starting", has_jax=True), "starting: waiting for the first use of a device (1 s)"),
        (since(3, "starting", is_by_hand=True), "starting: capturing as soon as there is something to capture (3 s)"),
        (CaptureProgress("starting", is_by_hand=True), "starting: capturing as soon as there is something to capture"),
        (since(2, "compiling"), "waiting for the first program to compile (2 s)"),
        (since(14, "compiling", programs=88, compiling="train_step"), "compiling train_step (14 s), program 89"),
        (since(14, "compiling", programs=88, compiling=""), "compiling program 89 (14 s)"),
        (since(0, "compiling", programs=88), "compiling (88 programs), waiting for more (0 s)"),
        (since(4, "measuring"), "waiting for 3 steps that repeat: none seen so far (4 s)"),
        (
            since(1, "measuring", seen=2, period_seconds=0.21),
            "waiting for 3 steps that repeat: 2 seen so far, about 210 ms each (1 s)",
        ),
        (since(6, "measuring", programs=2, compiling="evaluate"), "compiling evaluate (6 s), program 3"),
        (since(6, "measuring", is_by_hand=True), "capturing now"),
    ],
)
async def test_a_capture_tells_what_it_waits_for_and_for_how_long(state, message):
    assert progress_message(state, 100 * SECOND) == message


async def test_the_window_can_be_asked_for_while_it_is_waited_for(editor, tmp_path):
    run = tmp_path / "run"
    asked = {"path": str(run), "workDoneToken": "now", "capture_now_command": "client.now"}
    _, answer = editor.begin("scopelight/followCapture", asked)
    waiting = {"stage": "compiling", "programs": 3, "pid": os.getpid(), "waits": True}
    write_state(run, state="running", progress=waiting)
    link = "compiling (3 programs) [Capture Now](command:client.now)"
    await editor.next("$/progress", lambda params: params["value"].get("message") == link)
    write_state(run, state="running", progress={**waiting, "waits": False})
    await editor.next("$/progress", lambda params: params["value"].get("message") == "compiling (3 programs)")
    write_state(run, state="captured")
    await answer


async def test_a_window_that_is_asked_for_before_there_is_anything_to_capture_is_acknowledged(editor, tmp_path):
    run = tmp_path / "run"
    _, answer = editor.begin("scopelight/followCapture", {"path": str(run), "workDoneToken": "early"})
    said = "starting: capturing as soon as there is something to capture"
    await editor.next("$/progress", lambda params: params["value"].get("message") == "starting")
    # It was asked for before the capture had made its directory.
    await editor.result("scopelight/captureNow", {"path": str(run)})
    await editor.next("$/progress", lambda params: params["value"].get("message") == said)
    write_state(run, state="running", progress={"stage": "starting", "pid": os.getpid(), "since_ns": time.time_ns()})
    await editor.next("$/progress", lambda params: params["value"].get("message", "").startswith(f"{said} ("))
    assert (run / "capture-now").is_file(), "the capture is told"
    write_state(run, state="captured")
    await answer


async def test_a_window_of_what_is_not_captured_cannot_be_asked_for(editor, tmp_path):
    _, message = await editor.error("scopelight/captureNow", {"path": str(tmp_path / "run")})
    assert "is not being captured any more" in message
