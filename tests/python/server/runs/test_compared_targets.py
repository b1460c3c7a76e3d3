"""Predictions side by side, as an editor asks for them, and the prediction of a run that was measured."""

import json
import shutil

import pytest
import pytest_asyncio

from made.predictions import NO_ROOM, SCAN

pytestmark = pytest.mark.asyncio


def described(run, **fields):
    information = json.loads((run / "run.json").read_text()) | fields
    (run / "run.json").write_text(json.dumps(information))
    return run


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


@pytest.fixture
def predicted(tmp_path):
    """Of one script for two TPUs."""
    runs = [shutil.copytree(each, tmp_path / ".scopelight" / each.name) for each in (SCAN, NO_ROOM)]
    for run, tpu in zip(runs, ("v5e-8", "v5e-4"), strict=True):
        described(run, predicted_for=tpu, script="step.py")
    return runs


async def test_the_answer_is_a_document_with_a_title(editor, predicted):
    paths = [str(each) for each in (*predicted, predicted[0])]
    answer = await editor.result("scopelight/compareTargets", {"paths": paths})
    assert answer["title"] == "step.py: v5e-8, v5e-4"
    assert answer["text"].startswith("# step.py: v5e-8, v5e-4\n")
    assert "|  | v5e-8 | v5e-4 |" in answer["text"]
    text = answer["text"].replace("\N{NO-BREAK SPACE}", " ")
    assert "| memory | fits: 2.21 of 15.75 GiB | does not fit: 25 of 15.75 GiB |" in text
    assert await editor.error("scopelight/compareTargets", {"paths": ["here"]})


async def test_a_run_that_is_gone_is_said(editor, predicted):
    shutil.rmtree(predicted[1])
    answer = await editor.result("scopelight/compareTargets", {"paths": [str(each) for each in predicted]})
    assert "|  | v5e-8 |\n" in answer["text"]
    assert "is left out" in answer["text"]


async def test_a_run_of_a_tpu_knows_what_was_predicted_of_it(editor, captured, tmp_path):
    """The devices are those that the record names: what ran is the same wherever it did."""
    folder = tmp_path / ".scopelight"
    measured = shutil.copytree(captured.run, folder / "measured")
    same = {key: json.loads((measured / "run.json").read_text())[key] for key in ("script", "args", "cwd")}
    predicted = described(shutil.copytree(SCAN, folder / "predicted"), predicted_for="v5e-8", **same)
    on_tpu = [{"platform": "tpu", "kind": "TPU v5 lite"}] * 8
    described(predicted, state="captured", devices=on_tpu)
    assert (await editor.show(measured))["predicted_by"] is None
    await editor.result("scopelight/closeRun")
    described(measured, devices=on_tpu)
    assert (await editor.show(measured))["predicted_by"] == str(predicted)
    assert (await editor.show(predicted))["predicted_by"] is None
