"""A run that was predicted: its lines in the text, its cards and what panels are told name the TPU and mark times."""

import re
import shutil

import pytest

from made.predictions import SCAN

HOTTEST, PLAIN = 19, 58
"""The line of the softmax, and one that only calls."""

pytestmark = pytest.mark.asyncio


@pytest.fixture
def script(tmp_path):
    """The script of the run as it is here."""
    folder = tmp_path / "project"
    folder.mkdir()
    return shutil.copy(SCAN / "sources" / "home" / "user" / "project" / "step.py", folder / "step.py")


async def opened(start_editor, script, extension_options, **settings):
    editor = await start_editor()
    await editor.initialize(script.parent, options={**extension_options, "settings": settings})
    editor.open(script)
    return editor, await editor.show(SCAN)


async def test_the_run_tells_for_what_it_is_predicted(start_editor, script, extension_options):
    editor, run = await opened(start_editor, script, extension_options)
    assert run["predicted_for"] == "TPU v5e"
    assert re.fullmatch(r"≈\S+ ms/step · predicted for TPU v5e", run["short"])
    assert run["headline"].endswith(" a step, predicted for TPU v5e")
    assert (run["busy_ratio"], run["has"]) == (None, ["executions", "programs", "compatibility"])
    assert run["prediction"][0].startswith("Predicted for TPU v5e (v5e-8) by libtpu")
    assert any("have no estimate" in each for each in run["prediction"])
    view = await editor.result("scopelight/view/op-profile", {"by": "category"})
    assert view["record"]["predicted_for"] == view["run"]["predicted_for"] == "TPU v5e"
    assert all(row["self_ps"] == 0 for row in view["record"]["rows"] if not row["has_estimate"])


async def test_lines_carry_marked_times_on_the_device(start_editor, script, extension_options):
    editor, _ = await opened(start_editor, script, extension_options)
    annotations = await editor.annotations(script, 1)
    assert re.match(r"[▰▱]+ ≈[\d.]+ %  ≈[\d.]+ ms/step on TPU v5e", annotations[HOTTEST]["text"])
    assert "≈" in annotations[HOTTEST]["compact"]
    assert re.match(r"[╍·]+ ≈[\d.]+ % inclusive", annotations[PLAIN]["text"])


async def test_cards_name_the_device_and_what_is_not_known(start_editor, script, extension_options):
    editor, _ = await opened(start_editor, script, extension_options)
    await editor.annotations(script, 1)
    card = await editor.hover(script, HOTTEST)
    assert card.startswith("**≈")
    assert "predicted for TPU v5e; ops without an estimate move " in card
    assert not re.search(r"(?<![≈\d.])\b[\d.]+ (?:ms|µs|ns)\b", card)


async def test_nothing_of_a_prediction_is_on_a_timeline(start_editor, script, extension_options):
    editor, _ = await opened(start_editor, script, extension_options)
    answer = await editor.result("scopelight/view/timeline", {})
    assert any(each["severity"] == "empty" for each in answer["record"]["findings"])
