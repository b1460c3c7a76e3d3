"""The shown run while its capture goes on: what is measured of the machine reaches what is open."""

import asyncio
import json
import os
import shutil

import attrs
import pytest
import pytest_asyncio

from scopelight.model.run.calibration import Calibration
from scopelight.model.run.information import CaptureProgress, RunInformation
from scopelight.server.runs.shown_capture import is_news

pytestmark = pytest.mark.asyncio

CALIBRATION = attrs.asdict(Calibration({"f32": 1e11}, 1e10, machine="Some CPU", jax="0.7.1"))


class Capture:
    """A run that this process captures, as far as its ``run.json`` says."""

    def __init__(self, path):
        self.path = path

    def tell(self, **fields):
        file = self.path / "run.json"
        partial = self.path / "run.json.partial"
        partial.write_text(json.dumps({**json.loads(file.read_text()), **fields}))
        partial.replace(file)

    def tell_stage(self, stage, **fields):
        self.tell(progress={"stage": stage, "pid": os.getpid()}, **fields)


@pytest.fixture
def capture(captured, tmp_path):
    """A capture whose profile lies there while its script runs."""
    run = tmp_path / "run"
    shutil.copytree(captured.run, run)
    made = Capture(run)
    made.tell_stage("capturing", exit_code=None, calibration=None, calibrates=True)
    return made


@pytest_asyncio.fixture
async def watching(editor, capture):
    """An editor that shows the run while its capture goes on."""
    opened = await editor.show(capture.path)
    assert (await editor.next("scopelight/shownRun"))["run"] == opened
    return editor


async def why(editor):
    """Why no rate is held against a peak, as Op Statistics says; None where they are."""
    view = await editor.result("scopelight/view/ops")
    found = [each["values"]["why"] for each in view["record"]["findings"] if each["code"] == "utilisation-unknown"]
    return found[0] if found else None


async def test_panels_are_told_when_the_machine_is_being_measured_and_when_it_was(watching, captured, capture):
    assert await why(watching) == "measured-at-the-end"
    capture.tell_stage("calibrating", exit_code=0)
    assert (await watching.next("scopelight/shownRun"))["run"]["path"] == str(capture.path)
    assert await why(watching) == "being-measured"
    capture.tell_stage("capturing", calibration=CALIBRATION)
    assert (await watching.next("scopelight/shownRun"))["run"]["path"] == str(capture.path)
    assert await why(watching) is None
    profile = await watching.result("scopelight/view/op-profile")
    assert "utilisation-unknown" not in [each["code"] for each in profile["record"]["findings"]]
    watching.open(captured.network)
    assert "peak" in await watching.hover(captured.network, 5)


async def test_annotations_of_rates_are_told_anew(watching, captured, capture):
    watching.open(captured.network)
    before = await watching.annotations(captured.network, 1)
    capture.tell_stage("capturing", exit_code=0, calibration=CALIBRATION)
    after = await watching.annotations(captured.network, 1)
    assert set(after) == set(before)


async def test_a_run_that_is_no_longer_shown_is_not_brought_back(watching, captured, capture):
    await watching.show(captured.run)
    capture.tell_stage("capturing", exit_code=0, calibration=CALIBRATION)
    await watching.show(capture.path)
    told = [each["params"]["run"]["path"] for each in watching.received if each["method"] == "scopelight/shownRun"]
    assert told == [str(captured.run), str(capture.path)]


@pytest.mark.parametrize("is_killed", [False, True])
async def test_that_nothing_was_measured_is_told_once_the_capture_has_ended(editor, capture, is_killed):
    process = await asyncio.create_subprocess_exec("sleep", "60")
    capture.tell(progress={"stage": "calibrating", "pid": process.pid}, exit_code=0)
    await editor.show(capture.path)
    await editor.next("scopelight/shownRun")
    assert await why(editor) == "being-measured"
    if not is_killed:
        capture.tell(progress={"stage": "capturing", "pid": process.pid})
    process.kill()
    await process.wait()
    await editor.next("scopelight/shownRun")
    assert await why(editor) == "not-measured"


RUNS = RunInformation(backend="cpu")
IS_MEASURED = attrs.evolve(RUNS, exit_code=0, progress=CaptureProgress("calibrating"))


@pytest.mark.parametrize(
    ("before", "now", "is_at_work", "is_told"),
    [
        (RUNS, attrs.evolve(RUNS, pinned=True, pause_seconds=1.0), True, False),
        (RUNS, IS_MEASURED, True, True),
        # Between the script's end and the measurement it looks as if nothing would be measured.
        (RUNS, attrs.evolve(RUNS, exit_code=0), True, False),
        (RUNS, attrs.evolve(RUNS, exit_code=0), False, True),
        # It was killed and says for ever what it said last.
        (IS_MEASURED, IS_MEASURED, False, True),
        (RUNS, RUNS, False, True),
        (IS_MEASURED, attrs.evolve(IS_MEASURED, calibration=Calibration({"f32": 1.0})), True, True),
        (
            attrs.evolve(RUNS, calibration=Calibration({"f32": 1.0})),
            attrs.evolve(RUNS, calibration=Calibration({"f32": 2.0}), exit_code=0),
            True,
            True,
        ),
    ],
)
async def test_news_are_what_is_known_of_the_machine(before, now, is_at_work, is_told):
    assert is_news(before, now, is_at_work=is_at_work) is is_told
