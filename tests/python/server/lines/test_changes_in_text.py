"""What changed, in the text: on the lines that did, and on the card of any that is compared."""

import json
import shutil

import pytest
import pytest_asyncio

from made.predictions import SCAN, UNROLLED

pytestmark = pytest.mark.asyncio

CHANGED, SAME, ATTENTION = 25, 18, 17
"""Lines of the step: the block's, which takes longer without the scan; one of the attention that is as it was."""


def described(run, **fields):
    information = json.loads((run / "run.json").read_text()) | fields
    (run / "run.json").write_text(json.dumps(information))
    return run


@pytest.fixture
def runs(tmp_path):
    """Two predictions of one script, whose sources are here; of other commits."""
    index = json.loads((SCAN / "sources" / "index.json").read_text())
    (recorded,) = (name for name in index if name.endswith("step.py"))
    script = tmp_path / "step.py"
    script.write_text((SCAN / "sources" / "home/user/project/step.py").read_text())
    found = []
    for each, commit in ((SCAN, "3f2a1b0c99"), (UNROLLED, "77aa1b0c99")):
        run = shutil.copytree(each, tmp_path / ".scopelight" / each.name)
        described(run, git={"commit": commit, "branch": "main", "dirty": False})
        found.append(run)
    return script, recorded, *found


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path, runs):
    editor = await start_editor()
    _, recorded, *_ = runs
    folders = {recorded.rpartition("/")[0]: str(tmp_path)}
    options = {**extension_options, "settings": {"mode": "change", "source_folders": folders}}
    await editor.initialize(tmp_path, options=options)
    return editor


async def compare(editor, before, after):
    return await editor.result("scopelight/compareWith", {"run": str(after), "before": str(before)})


async def annotations(editor, script, version=1):
    found = {}
    params = await editor.next(
        "scopelight/annotations",
        lambda params: params["version"] == version and any("since" in each["text"] for each in params["annotations"]),
    )
    assert params["uri"] == script.as_uri()
    for each in params["annotations"]:
        found[each["line"]] = each
    return found


async def test_changed_lines_alone_say_by_how_much(editor, runs):
    script, _, before, after = runs
    editor.open(script)
    await editor.show(after)
    await compare(editor, before, after)
    found = await annotations(editor, script)
    assert found[CHANGED]["text"] == "≈+18 % since 3f2a"
    assert found[CHANGED]["compact"] == "≈+18 %"
    assert found[CHANGED]["heat"] == 5
    assert SAME not in found
    assert not any(each["quiet"] for each in found.values())


async def test_beside_the_time_it_stands_after_it(editor, runs):
    script, _, before, after = runs
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"mode": "time"}}})
    editor.open(script)
    await editor.show(after)
    await compare(editor, before, after)
    found = await annotations(editor, script)
    assert "/step" in found[CHANGED]["text"]
    assert found[CHANGED]["text"].endswith("  ≈+18 % since 3f2a")
    assert "since" not in found[SAME]["text"]


async def test_a_card_has_both_values_and_what_they_rest_on(editor, runs):
    script, _, before, after = runs
    editor.open(script)
    await editor.show(after)
    await compare(editor, before, after)
    await annotations(editor, script)
    card = await editor.hover(script, CHANGED)
    assert "**≈+18 % since 3f2a**" in card
    assert "33.2 ms" in card and "39.2 ms" in card
    assert "exact: what programs say of themselves" in card
    assert "line 25 before" in card
    assert "one run each" in card
    assert "no change since 3f2a" in await editor.hover(script, SAME)


async def test_lines_follow_edits(editor, runs):
    script, _, before, after = runs
    editor.open(script)
    await editor.show(after)
    await compare(editor, before, after)
    await annotations(editor, script)
    editor.change(script, "# above\n" + script.read_text(), 2)
    found = await annotations(editor, script, 2)
    assert found[CHANGED + 1]["text"] == "≈+18 % since 3f2a"


async def test_what_is_compared_no_more_is_said_no_more(editor, runs):
    script, _, before, after = runs
    editor.open(script)
    await editor.show(after)
    await compare(editor, before, after)
    await annotations(editor, script)
    await editor.result("scopelight/stopComparing", {})
    said = ["compared with no other run"]
    await editor.next("scopelight/annotations", lambda params: [each["text"] for each in params["annotations"]] == said)
