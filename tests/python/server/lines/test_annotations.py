"""Annotations of open documents: where they are, what they say, and how they follow the text."""

import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.asyncio

PRODUCT = "    return jnp.tanh(x @ weights)"


def product_line(text):
    return text.split("\n").index(PRODUCT) + 1


async def test_documents_that_were_open_before_the_run_are_annotated(editor, captured):
    editor.open(captured.network)
    await editor.show(captured.run)
    annotations = await editor.annotations(captured.network, 1)
    line = product_line(captured.network.read_text())
    assert annotations[line]["state"] == "current"
    assert annotations[line]["recorded_line"] == line
    assert annotations[line]["heat"] == 5
    assert "ms/step" in annotations[line]["text"] or "µs/step" in annotations[line]["text"]


async def test_documents_that_are_opened_later_are_annotated(editor, captured):
    await editor.show(captured.run)
    editor.open(captured.train, version=7)
    annotations = await editor.annotations(captured.train, 7)
    assert any(each["inclusive"] for each in annotations.values())


async def test_a_document_that_is_none_of_the_runs_files_is_left_alone(editor, captured, tmp_path):
    other = tmp_path / "other.py"
    other.write_text("print(1)\n")
    await editor.show(captured.run)
    editor.open(other)
    editor.open(captured.network)
    await editor.annotations(captured.network, 1)
    assert all(
        message["params"]["uri"] != other.as_uri()
        for message in editor.received
        if message["method"] == "scopelight/annotations"
    )


async def test_a_line_inserted_above_moves_the_annotation(editor, captured):
    text = captured.network.read_text()
    editor.open(captured.network)
    await editor.show(captured.run)
    before = await editor.annotations(captured.network, 1)
    editor.change(captured.network, f"# first\n{text}", 2)
    after = await editor.annotations(captured.network, 2)
    line = product_line(text)
    assert after[line + 1] == {**before[line], "line": line + 1}
    assert line not in after


async def test_a_changed_line_is_stale_until_the_change_is_undone(editor, captured):
    text = captured.network.read_text()
    line = product_line(text)
    editor.open(captured.network)
    await editor.show(captured.run)
    editor.change(captured.network, text.replace("x @ weights", "weights @ x + 1"), 2)
    stale = (await editor.annotations(captured.network, 2))[line]
    assert stale["state"] == "stale"
    assert stale["text"].endswith("(edited since)")
    editor.change(captured.network, text, 3)
    assert (await editor.annotations(captured.network, 3))[line]["state"] == "current"


async def test_edits_of_ranges_are_applied_as_the_editor_counts_lines(editor, captured):
    # A form feed ends no line for an editor, and an emoji is two units of UTF-16.
    editor.open(captured.network, text=f"# \f 😀 tail\n{captured.network.read_text()}")
    await editor.show(captured.run)
    line = product_line(captured.network.read_text()) + 1
    assert line in await editor.annotations(captured.network, 1)
    change = {
        "range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 6}},
        "text": "\r\n# ",
    }
    identifier = {"uri": captured.network.as_uri(), "version": 2}
    editor.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    moved = await editor.annotations(captured.network, 2)
    assert moved[line + 1]["state"] == "current"


async def test_closing_the_run_clears_the_annotations(editor, captured):
    editor.open(captured.network)
    await editor.show(captured.run)
    assert await editor.annotations(captured.network, 1)
    await editor.result("scopelight/closeRun")
    assert await editor.annotations(captured.network, 1) == {}
    assert (await editor.next("scopelight/shownRun", lambda params: params["run"] is None)) == {"run": None}


async def test_changed_settings_apply_at_once(editor, captured):
    editor.open(captured.network)
    await editor.show(captured.run)
    line = product_line(captured.network.read_text())
    assert "/step" in (await editor.annotations(captured.network, 1))[line]["text"]
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"mode": "phases"}}})
    assert "fwd" in (await editor.annotations(captured.network, 1))[line]["text"]
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"annotations": False}}})
    assert await editor.annotations(captured.network, 1) == {}


async def test_settings_that_are_not_understood_change_nothing(editor, captured):
    settings = {"annotations": False, "mode": "colours"}
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": settings}})
    editor.notify("workspace/didChangeConfiguration", {"settings": None})
    editor.open(captured.network)
    await editor.show(captured.run)
    assert await editor.annotations(captured.network, 1)


@pytest.fixture
def renamed(captured):
    """The file of the line under another name."""
    file = Path(shutil.copy(captured.network, captured.folder / "layers.py"))
    yield file
    file.unlink()


async def test_a_renamed_file_keeps_its_lines(editor, captured, renamed):
    await editor.show(captured.run)
    editor.notify(
        "workspace/didRenameFiles",
        {"files": [{"oldUri": captured.network.as_uri(), "newUri": renamed.as_uri()}]},
    )
    editor.open(renamed)
    line = product_line(renamed.read_text())
    assert (await editor.annotations(renamed, 1))[line]["state"] == "current"
    place = await editor.result("scopelight/locateLine", {"file": str(captured.network), "line": line})
    assert (place["file"], place["line"], place["state"]) == (str(renamed), line, "current")


async def test_a_renamed_folder_keeps_the_lines_of_its_files(editor, captured, tmp_path):
    folder = tmp_path / "elsewhere"
    await editor.show(captured.run)
    editor.notify(
        "workspace/didRenameFiles",
        {"files": [{"oldUri": captured.folder.as_uri(), "newUri": folder.as_uri()}]},
    )
    editor.open(folder / "network.py", text=captured.network.read_text())
    assert await editor.annotations(folder / "network.py", 1)


async def said(editor, file, words):
    """The texts of a file's annotations by line, once one of them holds ``words``."""
    params = await editor.next(
        "scopelight/annotations",
        lambda params: params["uri"] == file.as_uri() and any(words in each["text"] for each in params["annotations"]),
    )
    return {each["line"]: each["text"] for each in params["annotations"]}


def change_settings(editor, **settings):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": settings}})


async def test_rates_follow_once_they_are_known(editor, captured):
    line = product_line(captured.network.read_text())
    change_settings(editor, mode="flops")
    editor.open(captured.network)
    editor.open(captured.train)
    await editor.show(captured.run)
    assert "FLOP/s" in (await said(editor, captured.network, "FLOP/s"))[line]
    # The call has the rate of what it called.
    calls = await said(editor, captured.train, "FLOP/s inclusive")
    assert captured.train.read_text().split("\n").index("        x = layer(weights, x)") + 1 in calls
    card = await editor.hover(captured.network, line)
    assert "FLOP/s" in card
    assert "of line" in card
    change_settings(editor, code_lenses=True)
    lenses = await editor.result("textDocument/codeLens", {"textDocument": {"uri": captured.network.as_uri()}})
    assert lenses[0]["command"]["title"].endswith("FLOP/s")
    table = (await editor.result("scopelight/copyAsMarkdown"))["text"]
    assert "| FLOP rate |" in table


async def test_a_share_of_the_peak_needs_a_peak_that_is_known(editor, captured):
    line = product_line(captured.network.read_text())
    change_settings(editor, mode="flops", peak_flops_per_s={"f32": 1e18})
    editor.open(captured.network)
    await editor.show(captured.run)
    assert (await said(editor, captured.network, "of peak"))[line].endswith("% of peak")


async def test_padding_is_shown_for_a_target_and_without_one_how_to_choose_it(editor, captured):
    line = product_line(captured.network.read_text())
    change_settings(editor, mode="padding")
    editor.open(captured.network)
    await editor.show(captured.run)
    assert list((await said(editor, captured.network, "padding unknown")).values()) == [
        "padding unknown: choose a TPU in scopelight.target"
    ]
    change_settings(editor, target="TPU v5e")
    # 192 of 256 are used, in two dimensions.
    text = (await said(editor, captured.network, "padded"))[line]
    assert text.endswith("used, predicted for TPU v5e")
    change_settings(editor, mode="time")
    shown = (await said(editor, captured.network, "  pad 1."))[line]
    assert shown.endswith("predicted for TPU v5e")
    assert "/step" in shown
