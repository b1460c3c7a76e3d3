"""Messages that no good client sends: each request is answered, and the server lives."""

import asyncio
import random

import pytest

from scopelight.protocol import REQUESTS

pytestmark = pytest.mark.asyncio

METHODS = [
    *(method for method in REQUESTS if method != "scopelight/followCapture"),
    "textDocument/hover",
    "textDocument/codeLens",
    "textDocument/inlayHint",
    "workspace/executeCommand",
    "no/such/method",
]
NOTIFICATIONS = [
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWorkspaceFolders",
    "workspace/didRenameFiles",
    "window/workDoneProgress/cancel",
    "$/cancelRequest",
    "$/setTrace",
    "no/such/notification",
]
KEYS = [
    *("path", "file", "line", "pinned", "workDoneToken", "textDocument", "uri", "position", "range", "start", "end"),
    *("character", "command", "arguments", "settings", "scopelight", "mode", "contentChanges", "text", "version"),
    *("event", "added", "removed", "files", "oldUri", "newUri", "token", "id", "jsonrpc", "type_name", "languageId"),
]
STRINGS = [
    *("", "/", "/nonexistent", "relative", "a\0b", "/a\0b", "\ud800", "/\ud800", "file:///a%00b.py", "file:///%FF"),
    *("2.0", "scopelight.server.openRun", "scopelight.server.copyAsMarkdown", "x" * 5000, "untitled:Untitled-1"),
]


def made(source, depth=0):
    kind = source.randrange(9 if depth < 4 else 6)
    match kind:
        case 0:
            return None
        case 1:
            return source.choice([True, False])
        case 2:
            return source.choice([0, -1, 1, 2**31, 2**63, 10**30, 1.5, -1e308, float("nan"), float("inf")])
        case 3 | 4 | 5:
            return source.choice(STRINGS)
        case 6:
            return [made(source, depth + 1) for _ in range(source.randrange(4))]
    return {source.choice(KEYS): made(source, depth + 1) for _ in range(source.randrange(6))}


@pytest.mark.parametrize("seed", range(4))
async def test_random_parameters_are_answered(editor, captured, seed):
    source = random.Random(seed)
    await editor.show(captured.run)
    editor.open(captured.network)
    for _ in range(150):
        editor.notify(source.choice(NOTIFICATIONS), made(source))
        method = source.choice(METHODS)
        answer = await editor.ask(method, made(source))
        assert ("result" in answer) != ("error" in answer), method
        assert "traceback" not in str(answer)
    editor.notify("workspace/didChangeConfiguration", {"settings": {"scopelight": {"annotations": True}}})
    await editor.show(captured.run)
    assert "of the " in await editor.hover(captured.network, 5)


async def test_bodies_that_are_no_messages_are_ignored(editor):
    for body in (b"", b"{", b"\xff\xfe", b"[]", b"3", b"{}", b'{"jsonrpc":"1.0"}', b"[" * 100_000):
        if body:
            editor.send_bytes(body)
    editor.send({"jsonrpc": "2.0", "id": [1], "method": "scopelight/runs"})
    editor.send({"jsonrpc": "2.0", "id": {}, "result": None})
    editor.send({"jsonrpc": "2.0", "id": 77, "result": {"jsonrpc": "2.0"}})
    assert "result" in await editor.ask("scopelight/runs")


async def test_a_notification_that_is_sent_as_a_request_is_refused(editor):
    code, _ = await editor.error("initialized", {})
    assert code == -32600


async def test_a_changed_document_that_was_never_opened_is_no_fault(editor, captured):
    editor.change(captured.network, "text", 2)
    assert await editor.hover(captured.network, 1) is None


async def test_cancelling_what_is_done_or_never_was_changes_nothing(editor):
    await editor.result("scopelight/runs")
    for number in (1, 2, 900):
        editor.notify("$/cancelRequest", {"id": number})
    assert "result" in await editor.ask("scopelight/runs")


async def test_many_requests_at_once_are_all_answered(editor, captured):
    pending = [editor.begin("scopelight/openRun", {"path": str(captured.run)})[1] for _ in range(40)]
    pending += [editor.begin("scopelight/view/lines", {})[1] for _ in range(40)]
    answers = await asyncio.wait_for(asyncio.gather(*pending), 60)
    assert all("result" in answer for answer in answers[:40])
