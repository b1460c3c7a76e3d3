"""What can be asked about lines: hover cards, code lenses, inlay hints, places, Markdown."""

import json
from urllib.parse import unquote

import pytest

pytestmark = pytest.mark.asyncio

PRODUCT = 5
"""The line of network.py that computes."""


async def lenses(editor, file):
    found = await editor.result("textDocument/codeLens", {"textDocument": {"uri": file.as_uri()}})
    return {lens["range"]["start"]["line"] + 1: lens["command"] for lens in found}


async def test_a_hover_card_has_the_lines_numbers_and_links(editor, captured):
    editor.open(captured.network)
    await editor.show(captured.run)
    card = await editor.hover(captured.network, PRODUCT)
    assert "of the " in card
    assert "forward" in card
    assert "command:scopelight.openHotLines?" in card
    link = card.partition("command:scopelight.copyAsMarkdown?")[2].partition(")")[0]
    assert json.loads(unquote(link)) == [{"file": str(captured.network), "line": PRODUCT}]


async def test_a_line_without_time_has_no_card(editor, captured):
    editor.open(captured.network)
    await editor.show(captured.run)
    assert await editor.hover(captured.network, 2) is None
    assert await editor.hover(captured.network, 4000) is None


async def test_a_hover_card_follows_its_line_and_says_when_it_is_stale(editor, captured):
    text = captured.network.read_text()
    editor.open(captured.network, text=f"\n\n{text.replace('x @ weights', 'weights @ x')}")
    await editor.show(captured.run)
    assert await editor.hover(captured.network, PRODUCT) is None
    card = await editor.hover(captured.network, PRODUCT + 2)
    assert "Edited since" in card
    assert "return jnp.tanh(x @ weights)" in card


async def test_without_a_run_nothing_is_answered(editor, captured):
    editor.open(captured.network)
    assert await editor.hover(captured.network, PRODUCT) is None
    assert await lenses(editor, captured.network) == {}


async def test_code_lenses_are_off_until_asked_for(editor, captured):
    editor.open(captured.train)
    await editor.show(captured.run)
    assert await lenses(editor, captured.train) == {}
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"code_lenses": True}}})
    assert await lenses(editor, captured.train) != {}


async def test_code_lenses_stand_above_functions_and_named_scopes(editor, captured):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"code_lenses": True}}})
    text = captured.train.read_text()
    lines = text.split("\n")
    editor.open(captured.train)
    editor.open(captured.network)
    await editor.show(captured.run)
    found = await lenses(editor, captured.train)
    assert found[lines.index("def loss(weights, x):") + 1]["title"].startswith("loss · ")
    assert found[lines.index("def train_step(weights, x):") + 1]["title"].startswith("train_step · ")
    scope = found[lines.index('    with jax.named_scope("body"):') + 1]
    assert scope["title"].startswith("body · ")
    assert scope["command"] == "scopelight.openHotLines"
    # The scope calls the layer and nothing else does: each op inside is counted once in both.
    layer = (await lenses(editor, captured.network))[PRODUCT - 1]
    assert layer["title"].partition(" · ")[2] == scope["title"].partition(" · ")[2]


async def test_code_lenses_survive_a_text_that_cannot_be_parsed(editor, captured):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"code_lenses": True}}})
    editor.open(captured.network)
    await editor.show(captured.run)
    before = await lenses(editor, captured.network)
    editor.change(captured.network, captured.network.read_text() + "\ndef half(", 2)
    assert await lenses(editor, captured.network) == before


async def test_a_line_is_located_in_the_unsaved_text(editor, captured):
    await editor.show(captured.run)
    asked = {"file": str(captured.network), "line": PRODUCT}
    found = {**asked, "state": "current", "source": "file", "run": None, "reason": None, "cell": None}
    assert await editor.result("scopelight/locateLine", asked) == found
    editor.open(captured.network, text=f"#\n{captured.network.read_text()}")
    assert await editor.result("scopelight/locateLine", asked) == {**found, "line": PRODUCT + 1}


async def test_a_line_of_a_file_that_is_not_here_is_gone(editor, captured):
    await editor.show(captured.run)
    place = await editor.result("scopelight/locateLine", {"file": str(captured.folder / "none.py"), "line": 3})
    assert (place["state"], place["source"]) == ("gone", "absent")


async def test_hot_lines_have_their_text_and_places(editor, captured):
    await editor.show(captured.run)
    editor.open(captured.network, text=f"#\n{captured.network.read_text()}")
    view = await editor.result("scopelight/view/lines")
    row = [line["file"] == str(captured.network) and line["line"] == PRODUCT for line in view["record"]["lines"]].index(
        True
    )
    assert view["sources"][row] == "return jnp.tanh(x @ weights)"
    assert view["places"][row] == {"file": str(captured.network), "line": PRODUCT + 1, "state": "current"}


async def test_lines_are_copied_as_markdown(editor, captured):
    code, sentence = await editor.error("scopelight/copyAsMarkdown")
    assert code == -32803
    assert "open one first" in sentence
    await editor.show(captured.run)
    table = (await editor.result("scopelight/copyAsMarkdown"))["text"]
    assert "network.py:5" in table
    line = {"file": str(captured.network), "line": PRODUCT}
    assert "return jnp.tanh(x @ weights)" in (await editor.result("scopelight/copyAsMarkdown", line))["text"]
    renamed = captured.folder / "layers.py"
    names = {"oldUri": captured.network.as_uri(), "newUri": renamed.as_uri()}
    editor.notify("workspace/didRenameFiles", {"files": [names]})
    same = await editor.result("scopelight/copyAsMarkdown", {**line, "file": str(renamed)})
    assert "return jnp.tanh(x @ weights)" in same["text"]
    code, sentence = await editor.error("scopelight/copyAsMarkdown", {**line, "line": 1})
    assert "no time" in sentence
