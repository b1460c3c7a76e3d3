"""A job that an editor watches: whoever captures it answers in its run."""

import asyncio
import os

import pytest
import pytest_asyncio

from scopelight.analysis.monitoring.kept import to_line
from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.publishing.run_directory import RunDirectory
from scopelight.findings import note
from scopelight.model.run.information import CaptureProgress, RunInformation
from scopelight.model.run.names import MONITOR_NOW_FILE, READINGS_FILE

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


@pytest.fixture
def run(tmp_path):
    running = RunInformation(state="running", progress=CaptureProgress("compiling", pid=os.getpid()))
    return RunDirectory.create(tmp_path / "run", tmp_path, "train", running)


async def answer(run, **fields):
    """Take the reading that is asked for, as who captures the job does."""
    asked = run.path / MONITOR_NOW_FILE
    while not asked.exists():
        await asyncio.sleep(0.02)
    asked.unlink()
    add(run, **fields)


def add(run, **fields):
    with (run.path / READINGS_FILE).open("a") as file:
        file.write(to_line(JobReading(str(run.path), 5, device_type="cpu", **fields)))


async def test_readings_are_told_as_they_come_until_the_job_ends(editor, run):
    add(run, utilisation_ratio=0.1)
    watched = await editor.result("scopelight/watchJob", {"path": str(run.path), "seconds": 0.5})
    assert [each["utilisation_ratio"] for each in watched["readings"]] == [0.1]
    await answer(run, utilisation_ratio=0.6, step_avg_ps=30e9)
    told = await editor.next("scopelight/jobWatched")
    assert (told["path"], told["why"]) == (str(run.path), None)
    assert (told["reading"]["utilisation_ratio"], told["reading"]["step_avg_ps"]) == (0.6, 30e9)
    assert "busy 60.0 %" in told["reading"]["line"]
    await answer(run, findings=(note("monitor-while-script-traces"),))
    told = await editor.next("scopelight/jobWatched")
    assert told["reading"]["said"][0].startswith("The script traces itself now")
    run.update(has_ended=True)
    told = await editor.next("scopelight/jobWatched")
    assert (told["reading"], told["why"]) == (None, "The job has ended.")


async def test_a_job_that_is_left_is_asked_for_nothing_more(editor, run):
    await editor.result("scopelight/watchJob", {"path": str(run.path), "seconds": 0.5})
    await answer(run, utilisation_ratio=0.6)
    await editor.next("scopelight/jobWatched")
    await editor.result("scopelight/leaveJob", {})
    # Who watched may be asking just then, and takes it back.
    await asyncio.sleep(0.7)
    assert not (run.path / MONITOR_NOW_FILE).exists()


async def test_a_job_that_has_ended_is_refused(editor, run):
    run.update(has_ended=True)
    _, sentence = await editor.error("scopelight/watchJob", {"path": str(run.path), "seconds": 0.5})
    assert "is captured no more" in sentence
