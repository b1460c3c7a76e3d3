"""Starting and ending the server."""

import asyncio

import pytest

from scopelight.protocol import PROTOCOL_VERSION
from scopelight.server.requests import HANDLERS, register_requests

pytestmark = pytest.mark.asyncio


async def test_says_its_version_to_a_client_of_the_same_protocol(start_editor, captured, extension_options):
    editor = await start_editor()
    answer = await editor.initialize(captured.folder, options=extension_options)
    assert answer["result"]["serverInfo"]["name"] == "scopelight"
    assert answer["result"]["capabilities"]["experimental"]["scopelight"] == {"protocol_version": PROTOCOL_VERSION}


@pytest.mark.parametrize(
    ("version", "remedy"),
    [
        (PROTOCOL_VERSION + 1, "the daemon is older, run “Scopelight: Install Daemon”"),
        (PROTOCOL_VERSION - 1, "the extension is older, update it in the Extensions view"),
    ],
)
async def test_refuses_a_client_of_another_protocol_with_a_sentence(start_editor, version, remedy):
    editor = await start_editor()
    answer = await editor.initialize(options={"protocol_version": version})
    sentence = answer["error"]["message"]
    assert f"protocol {version}" in sentence
    assert f"this daemon {PROTOCOL_VERSION}" in sentence
    assert remedy in sentence
    assert answer["error"]["data"] == {"protocol_version": PROTOCOL_VERSION}


async def test_serves_a_client_that_says_nothing_of_itself(start_editor, captured):
    editor = await start_editor()
    assert "result" in await editor.initialize(captured.folder)
    runs = await editor.result("scopelight/runs")
    assert [run["path"] for run in runs["runs"]] == [str(captured.run)]


async def test_requests_before_initialize_are_refused(start_editor):
    editor = await start_editor()
    code, _ = await editor.error("scopelight/runs")
    assert code == -32002
    assert "result" in await editor.initialize()


async def test_a_second_initialize_is_refused(editor):
    code, _ = await editor.error("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert code == -32600
    assert "result" in await editor.ask("scopelight/runs")


async def test_ends_properly_when_it_is_told_to(editor):
    assert await editor.result("shutdown") is None
    editor.notify("exit", None)
    assert await asyncio.wait_for(editor.process.wait(), 60) == 0


async def test_ends_when_its_input_ends(editor):
    editor.process.stdin.close()
    assert await asyncio.wait_for(editor.process.wait(), 60) == 1


async def test_ends_when_the_editor_is_gone_though_its_pipe_lives_on(start_editor):
    editor = await start_editor()
    parent = await asyncio.create_subprocess_exec("sleep", "600")
    await editor.ask("initialize", {"processId": parent.pid, "rootUri": None, "capabilities": {}})
    editor.notify("initialized", {})
    await editor.result("scopelight/runs")
    parent.kill()
    await parent.wait()
    assert await asyncio.wait_for(editor.process.wait(), 60) == 1


async def test_a_request_of_the_protocol_without_a_handler_is_an_error_at_the_start():
    handlers = {name: handler for name, handler in HANDLERS.items() if name != "scopelight/pinRun"}

    class Collecting:
        def feature(self, _):
            return lambda handler: handler

    with pytest.raises(LookupError, match="scopelight/pinRun"):
        register_requests(Collecting(), None, handlers)
