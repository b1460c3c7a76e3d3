"""Editors that speak the Language Server Protocol alone: Neovim, as pytest-lsp knows it."""

import pytest
from lsprotocol import types

pytestmark = pytest.mark.asyncio

PRODUCT = 5
"""The line of network.py that computes."""


async def run_command(client, name, *arguments, token=None):
    parameters = types.ExecuteCommandParams(name, list(arguments), work_done_token=token)
    return await client.workspace_execute_command_async(parameters)


async def hints(client, file, lines):
    parameters = types.InlayHintParams(
        types.TextDocumentIdentifier(file.as_uri()), types.Range(types.Position(0, 0), types.Position(lines, 0))
    )
    return await client.text_document_inlay_hint_async(parameters)


def open_document(client, file, text=None):
    item = types.TextDocumentItem(file.as_uri(), "python", 1, text or file.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))


async def test_the_newest_run_is_opened_by_a_command_and_its_lines_are_hinted(neovim, captured):
    open_document(neovim, captured.network)
    opened = await run_command(neovim, "scopelight.server.openRun")
    assert opened["path"] == str(captured.run)
    found = await hints(neovim, captured.network, 100)
    product = next(hint for hint in found if hint.position.line == PRODUCT - 1)
    assert product.position.character == len("    return jnp.tanh(x @ weights)")
    assert "%" in product.label


async def test_hints_are_only_of_the_range_that_is_asked_for(neovim, captured):
    open_document(neovim, captured.network)
    await run_command(neovim, "scopelight.server.openRun", str(captured.run))
    assert not await hints(neovim, captured.network, PRODUCT - 2)


async def test_hints_follow_unsaved_edits_and_go_with_the_setting(neovim, captured):
    open_document(neovim, captured.network, f"#\n{captured.network.read_text()}")
    await run_command(neovim, "scopelight.server.openRun", ".scopelight/first")
    assert PRODUCT in {hint.position.line for hint in await hints(neovim, captured.network, 100)}
    neovim.workspace_did_change_configuration(
        types.DidChangeConfigurationParams({"scopelight": {"inlay_hints": False}})
    )
    assert not await hints(neovim, captured.network, 100)


async def test_hover_cards_hold_no_commands_of_another_editor(neovim, captured):
    open_document(neovim, captured.network)
    await run_command(neovim, "scopelight.server.openRun", str(captured.run))
    card = await neovim.text_document_hover_async(
        types.HoverParams(types.TextDocumentIdentifier(captured.network.as_uri()), types.Position(PRODUCT - 1, 8))
    )
    assert "of the " in card.contents.value
    assert "command:" not in card.contents.value


async def test_progress_is_shown_where_the_client_gave_no_token(neovim, captured):
    await run_command(neovim, "scopelight.server.openRun", str(captured.run))
    (reports,) = neovim.progress_reports.values()
    assert isinstance(reports[0], types.WorkDoneProgressBegin)
    assert isinstance(reports[-1], types.WorkDoneProgressEnd)


async def test_runs_are_listed_copied_and_closed_by_commands(neovim, captured):
    open_document(neovim, captured.network)
    assert [run["path"] for run in (await run_command(neovim, "scopelight.server.runs"))["runs"]] == [str(captured.run)]
    await run_command(neovim, "scopelight.server.openRun", str(captured.run))
    copied = await run_command(neovim, "scopelight.server.copyAsMarkdown", str(captured.network), PRODUCT)
    assert "network.py:5" in copied["text"]
    await run_command(neovim, "scopelight.server.closeRun")
    assert not await hints(neovim, captured.network, 100)
