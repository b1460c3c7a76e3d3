"""Telling that lines are elsewhere than a panel has them: when they are, and only then."""

import asyncio

import pytest

from scopelight.server.lines import moved_lines

pytestmark = pytest.mark.asyncio

PRODUCT = "    return jnp.tanh(x @ weights)"


async def product_place(editor):
    """Where the panel shows the line of the network, and in which state."""
    view = await editor.result("scopelight/view/lines")
    rows = [row for row, text in enumerate(view["sources"]) if text == PRODUCT.strip()]
    return view["places"][rows[0]]


def told_of_moves(editor):
    return sum(message["method"] == "scopelight/placesChanged" for message in editor.received)


async def test_an_edit_that_moves_a_line_is_told_and_the_panel_then_has_its_place(editor, captured):
    text = captured.network.read_text()
    await editor.show(captured.run)
    before = await product_place(editor)
    editor.open(captured.network)
    editor.change(captured.network, f"# first\n{text}", 2)
    assert await editor.next("scopelight/placesChanged") == {}
    assert await product_place(editor) == {**before, "line": before["line"] + 1}
    editor.change(captured.network, text.replace("x @ weights", "weights @ x + 1"), 3)
    await editor.next("scopelight/placesChanged")
    assert (await product_place(editor))["state"] == "stale"


async def test_closing_without_saving_moves_lines_back(editor, captured):
    await editor.show(captured.run)
    editor.open(captured.network, text=f"# first\n{captured.network.read_text()}")
    moved = await product_place(editor)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": captured.network.as_uri()}})
    await editor.next("scopelight/placesChanged")
    assert (await product_place(editor))["line"] == moved["line"] - 1


async def test_a_renamed_file_that_is_not_open_is_told(editor, captured):
    await editor.show(captured.run)
    await product_place(editor)
    files = [{"oldUri": captured.network.as_uri(), "newUri": (captured.folder / "layers.py").as_uri()}]
    editor.notify("workspace/didRenameFiles", {"files": files})
    await editor.next("scopelight/placesChanged")


async def test_what_moves_no_line_is_not_told(editor, captured, tmp_path):
    other = tmp_path / "other.py"
    other.write_text("print(1)\n")
    await editor.show(captured.run)
    await product_place(editor)
    text = captured.network.read_text()
    editor.open(other)
    editor.open(captured.network)
    editor.change(other, "print(2)\n", 2)
    editor.change(captured.network, f"{text}\n# behind every line\n", 2)
    await asyncio.sleep(2 * moved_lines.INTERVAL_SECONDS)
    await product_place(editor)
    assert told_of_moves(editor) == 0


async def test_many_edits_are_told_once_until_the_panel_asks(editor, captured):
    text = captured.network.read_text()
    await editor.show(captured.run)
    await product_place(editor)
    editor.open(captured.network)
    for version in range(2, 30):
        editor.change(captured.network, "# another\n" * version + text, version)
    await editor.next("scopelight/placesChanged")
    editor.change(captured.network, text, 30)
    await asyncio.sleep(2 * moved_lines.INTERVAL_SECONDS)
    await editor.result("scopelight/debugInformation")
    assert told_of_moves(editor) == 0
