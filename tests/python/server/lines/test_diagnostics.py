"""Diagnostics: padding that wastes work, on the lines that cause it, for every editor."""

import re

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

# On a busy machine the first product may take less than the share that is worth a word by default.
TARGET = {"target": "TPU v5e", "padding_share_ratio": 0.001, "advice": False}
INPUT = '    hidden = jnp.tanh(x @ weights["in"])'
OUTPUT = '    return jnp.mean((hidden @ weights["out"]) ** 2)'


def line_of(file, text):
    return file.read_text().split("\n").index(text) + 1


async def opened(start_editor, padded, extension_options, settings=None):
    editor = await start_editor()
    await editor.initialize(padded.folder, options={**extension_options, "settings": TARGET | (settings or {})})
    editor.open(padded.train)
    await editor.show(padded.run)
    return editor


async def diagnostics(editor, file, matches=bool):
    """The diagnostics of a file by line, once they are as wanted."""
    params = await editor.next(
        "textDocument/publishDiagnostics",
        lambda params: params["uri"] == file.as_uri() and matches(params["diagnostics"]),
    )
    return {each["range"]["start"]["line"] + 1: each for each in params["diagnostics"]}


def change_settings(editor, **settings):
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": settings}})


async def test_padding_for_the_target_is_on_the_lines_that_cause_it(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    found = await diagnostics(editor, padded.train)
    line = line_of(padded.train, INPUT)
    assert found[line]["source"] == "Scopelight"
    assert found[line]["code"] == "padding"
    assert found[line]["severity"] == types.DiagnosticSeverity.Information.value
    message = found[line]["message"]
    assert message.startswith("On TPU v5e (predicted), ")
    assert "520" in message
    assert "640 (tile 128)" in message
    assert found[line]["range"] == {
        "start": {"line": line - 1, "character": 4},
        "end": {"line": line - 1, "character": len(INPUT)},
    }
    # The line's worst alone.
    assert len(found) == len({each["range"]["start"]["line"] for each in found.values()})


async def test_the_card_says_the_same_as_the_diagnostic(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    line = line_of(padded.train, INPUT)
    message = (await diagnostics(editor, padded.train))[line]["message"]
    card = await editor.hover(padded.train, line)
    assert message.partition(" computes for ")[0] in card.replace("`", "")
    assert message.partition("What fits: ")[2] in card


async def test_without_a_target_nothing_is_predicted(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    assert await diagnostics(editor, padded.train)
    change_settings(editor, target=None)
    assert await diagnostics(editor, padded.train, lambda found: not found) == {}
    change_settings(editor, **TARGET)
    assert await diagnostics(editor, padded.train)


async def test_thresholds_are_the_settings(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    assert await diagnostics(editor, padded.train)
    change_settings(editor, padding_waste_ratio=1.0)
    assert await diagnostics(editor, padded.train, lambda found: not found) == {}
    change_settings(editor, padding_waste_ratio=0.1, padding_share_ratio=1.0)
    change_settings(editor, padding_share_ratio=0.01)
    assert await diagnostics(editor, padded.train)


async def test_they_follow_their_line_and_leave_one_that_was_edited(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    before = await diagnostics(editor, padded.train)
    text = padded.train.read_text()
    line, other = line_of(padded.train, INPUT), line_of(padded.train, OUTPUT)
    editor.change(padded.train, f"# first\n{text}", 2)
    moved = await diagnostics(editor, padded.train)
    assert moved[line + 1]["message"] == before[line]["message"]
    editor.change(padded.train, text.replace("jnp.tanh(x @", "jnp.sin(x @"), 3)
    edited = await diagnostics(editor, padded.train, lambda found: len(found) < len(before))
    assert line not in edited
    assert edited[other]["message"] == before[other]["message"]


async def test_a_size_that_was_edited_is_not_said_to_be_wrong(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    before = await diagnostics(editor, padded.train)
    text = padded.train.read_text()
    line = line_of(padded.train, INPUT)
    # Of a product or of the array it makes: whichever the capture measured as worse.
    assert re.search(r"520 (is padded )?to 640", before[line]["message"])
    edited = text.replace("64, 100, 520", "64, 100, 640")
    editor.change(padded.train, edited, 2)
    # What else is padded is wrong still.
    after = await diagnostics(editor, padded.train, lambda found: "Edited" in str(found))
    assert re.search(r"(64|100) is padded to 128", after[line]["message"])
    assert "640" not in after[line]["message"]
    assert after[line]["message"].endswith("Edited since the run, and left out here: 520.")
    assert after[line]["message"].partition("What fits: ")[2] in await editor.hover(padded.train, line)
    editor.change(padded.train, text, 3)
    assert await diagnostics(editor, padded.train, lambda found: "Edited" not in str(found)) == before


async def test_they_go_with_the_run_and_with_the_document(start_editor, padded, extension_options):
    editor = await opened(start_editor, padded, extension_options)
    assert await diagnostics(editor, padded.train)
    await editor.result("scopelight/closeRun")
    assert await diagnostics(editor, padded.train, lambda found: not found) == {}
    await editor.show(padded.run)
    assert await diagnostics(editor, padded.train)
    editor.notify("textDocument/didClose", {"textDocument": {"uri": padded.train.as_uri()}})
    assert await diagnostics(editor, padded.train, lambda found: not found) == {}


@pytest.fixture
def workspace(padded):
    return padded


async def test_editors_that_speak_the_protocol_alone_have_them_too(neovim, padded):
    neovim.workspace_did_change_configuration(types.DidChangeConfigurationParams({"scopelight": TARGET}))
    item = types.TextDocumentItem(padded.train.as_uri(), "python", 1, padded.train.read_text())
    neovim.text_document_did_open(types.DidOpenTextDocumentParams(item))
    await neovim.workspace_execute_command_async(
        types.ExecuteCommandParams("scopelight.server.openRun", [str(padded.run)])
    )
    if padded.train.as_uri() not in neovim.diagnostics:
        await neovim.wait_for_notification("textDocument/publishDiagnostics")
    found = neovim.diagnostics[padded.train.as_uri()]
    assert line_of(padded.train, INPUT) - 1 in {each.range.start.line for each in found}
