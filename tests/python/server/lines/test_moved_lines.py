"""Telling that lines are elsewhere than a panel has them: when they are, and only then."""

import asyncio
import copy

import pytest
from lsprotocol import types

from scopelight.protocol.settings import InitializationOptions
from scopelight.server.lines import moved_lines
from scopelight.server.session import Session
from scopelight.server.work import begin

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


class Client:
    """A session whose client keeps what it is told; every look is waited for."""

    def __init__(self):
        self.told = []
        self.session = Session(self)
        self.session.options = InitializationOptions(protocol_version=1)
        self.looks = []
        spawn = self.session.spawn
        # Only what watches lines gets a session whose work can be waited for.
        self.watched = copy.copy(self.session)
        self.watched.spawn = lambda work: self.looks.append(spawn(work)) or self.looks[-1]
        moved_lines.register(None, self.watched)

    def send(self, method, _record):
        self.told.append(method)

    async def show(self, path, *roots):
        """Shows a run, and a panel with its lines."""
        run = await self.session.loading.load(path, roots, "steps", lambda _: None)
        self.session.shown = self.watched.shown = run
        self.session.places_told.emit(run, await self.session.placements.survey(run))

    async def look(self, file, text):
        """A file has another text: how often that was looked at, to the end."""
        begin()
        item = types.TextDocumentItem(file.as_uri(), "python", 1, text)
        self.looks.clear()
        self.session.document_changed.emit(self.session.documents.opened(item))
        await asyncio.gather(*self.looks)
        return len(self.looks)


async def test_what_moves_no_line_is_not_told(captured, tmp_path, monkeypatch):
    monkeypatch.setattr(moved_lines, "INTERVAL_SECONDS", 0)
    client = Client()
    await client.show(captured.run, captured.folder)
    text = captured.network.read_text()
    assert await client.look(tmp_path / "other.py", "print(2)\n") == 1
    assert await client.look(captured.network, f"{text}\n# behind every line\n") == 1
    assert client.told == []
    assert await client.look(captured.network, f"# before every line\n{text}") == 1
    assert client.told == ["scopelight/placesChanged"]
    # Its lines are known to be old: nobody looks until a panel asks for them again.
    assert await client.look(captured.network, text) == 0


async def test_many_edits_before_a_look_are_told_once(editor, captured):
    text = captured.network.read_text()
    await editor.show(captured.run)
    before = await product_place(editor)
    editor.open(captured.network)
    for version in range(2, 30):
        editor.change(captured.network, "# another\n" * version + text, version)
    await editor.next("scopelight/placesChanged")
    # The panel asks: what had moved by then is not told again.
    assert (await product_place(editor))["line"] == before["line"] + 29
    assert told_of_moves(editor) == 0
