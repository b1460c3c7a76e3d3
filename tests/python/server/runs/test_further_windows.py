"""Another window of a job that still runs, asked for by an editor: whoever captures the job takes it."""

import asyncio
import os
import time

import attrs
import pytest
import pytest_asyncio

from made.xspace import Line, plane, write
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.model.run.information import CaptureProgress, CaptureWindow, RunInformation, WindowOptions
from scopelight.model.run.names import CAPTURE_NOW_FILE

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


@pytest.fixture
def run(tmp_path):
    """A run whose first window was captured an hour ago, and whose job still runs."""
    before = CaptureProgress("capturing", steps=5, started_ns=time.time_ns() - 3600 * 10**9, seconds=1, pid=os.getpid())
    run = RunDirectory.create(tmp_path / ".scopelight" / "run", tmp_path, "train", RunInformation(state="running"))
    publish(run, progress=before)
    return run


def publish(run, **fields):
    trace = write(run.path / "trace", plane("/device:TPU:0", Line("XLA Ops", (("dot", 0, 100),))))
    session = run.add_profile({"one": [trace]}).relative_to(run.path).as_posix()
    window = CaptureWindow(kind="steps", complete_steps=5, session=session)
    windows = (*run.information.windows, window)
    run.update(state="captured", windows=windows, window=window, **fields)


async def asked(run):
    """Wait until the window is asked for, as who captures the job does."""
    while not (run.path / CAPTURE_NOW_FILE).exists():
        await asyncio.sleep(0.01)
    (run.path / CAPTURE_NOW_FILE).unlink()


async def test_the_window_is_taken_with_progress_and_listed_and_shown_is_which_one(editor, run):
    first = await editor.show(run.path)
    _, answer = editor.begin("scopelight/captureAgain", {"path": str(run.path), "workDoneToken": "again"})
    await editor.next("$/progress", lambda each: each["value"].get("message") == "capturing now")
    await asked(run)
    progress = run.information.progress
    run.update(progress=attrs.evolve(progress, started_ns=time.time_ns(), seconds=60, period_seconds=12))
    await editor.next("$/progress", lambda each: each["value"].get("message") == "step 1 of 5")
    publish(run)
    assert (await answer)["result"] == {}
    (listed,) = (await editor.result("scopelight/runs"))["runs"]
    assert listed["is_live"]
    assert [each["window"]["number"] for each in listed["sessions"]] == [2, 1]
    newest, oldest = (each["path"] for each in listed["sessions"])
    assert first["session"] == oldest
    assert (await editor.show(run.path))["session"] == newest
    assert (await editor.show(oldest))["session"] == oldest


async def test_a_window_that_is_cancelled_is_asked_for_no_more(editor, run):
    _, answer = editor.begin("scopelight/captureAgain", {"path": str(run.path), "workDoneToken": "again"})
    await editor.next("$/progress", lambda each: each["value"].get("message") == "capturing now")
    editor.notify("window/workDoneProgress/cancel", {"token": "again"})
    assert (await answer)["error"]["code"] == -32800
    assert not (run.path / CAPTURE_NOW_FILE).exists()


async def test_a_job_that_runs_no_more_or_is_captured_whole_is_refused(editor, run):
    run.update(options=WindowOptions(whole=True))
    _, sentence = await editor.error("scopelight/captureAgain", {"path": str(run.path)})
    assert "from its beginning to its end" in sentence
    run.update(has_ended=True)
    _, sentence = await editor.error("scopelight/captureAgain", {"path": str(run.path)})
    assert "is captured no more" in sentence
