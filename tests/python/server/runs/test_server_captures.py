"""Captures of jobs that run, asked for by an editor."""

import asyncio
import json
import re
from pathlib import Path

import pytest
import pytest_asyncio

from made.scripted_server import ScriptedServer, jax_server, older_server, response
from made.xspace import Line, plane

pytestmark = pytest.mark.asyncio

TRACE = plane("/host:CPU", Line("worker", (("work", 0, 1000),)))


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    """An editor of an empty folder: no run is needed to capture one."""
    editor = await start_editor()
    await editor.initialize(tmp_path, options=extension_options)
    return editor


async def captured_of(editor, folder, *servers, token=None, **options):
    addresses = [str(each.address) for each in servers]
    params = {"addresses": addresses, "folder": str(folder), "seconds": 0.01, "workDoneToken": token, **options}
    return await editor.result("scopelight/captureServers", params)


async def test_servers_are_captured_into_one_run_with_progress(editor, tmp_path):
    with (
        ScriptedServer(jax_server(lambda _: response(TRACE))) as one,
        ScriptedServer(jax_server(lambda _: response(TRACE))) as other,
    ):
        captured = await captured_of(editor, tmp_path, one, other, token="of-two")
        assert captured["problems"] == []
        names = sorted(each.name for each in Path(captured["path"]).glob("plugins/profile/*/*.xplane.pb"))
        assert names == sorted(f"{each.address.name}.xplane.pb" for each in (one, other))
        said = []
        while not said or said[-1]["kind"] != "end":
            said.append((await editor.next("$/progress", lambda each: each["token"] == "of-two"))["value"])
        assert any(f"{other.address}: captured" in each.get("message", "") for each in said)


async def test_what_is_missing_is_said(editor, tmp_path):
    profiler = older_server(lambda _: response(TRACE))
    with ScriptedServer(jax_server(lambda _: response(TRACE))) as one, ScriptedServer(profiler) as older:
        captured = await captured_of(editor, tmp_path, one, older)
        (problem,) = captured["problems"]
        # Its jaxlib is told where this process has loaded one.
        assert re.search(rf"{older.address} is of jax with .*older than 0\.9", problem)
        alone = await captured_of(editor, tmp_path, older)
    assert alone == {"path": None, "problems": [problem]}
    assert not profiler.asked


async def test_cancelling_ends_the_capture_of_the_server(editor, tmp_path):
    profiler = jax_server(lambda _: None)
    with ScriptedServer(profiler) as server:
        params = {"addresses": [str(server.address)], "folder": str(tmp_path), "seconds": 60, "workDoneToken": "long"}
        editor.begin("scopelight/captureServers", params)
        await editor.next("$/progress", lambda each: "capturing" in each["value"].get("message", ""))
        editor.notify("window/workDoneProgress/cancel", {"token": "long"})
        assert await asyncio.to_thread(profiler.was_reset.wait, 30)
        await editor.next("$/progress", lambda each: each["value"]["kind"] == "end")
    (file,) = tmp_path.glob(".scopelight/*/run.json")
    assert json.loads(file.read_text())["source"]["servers"][0]["problem"] == "server-cancelled"


async def test_what_is_no_address_is_refused_with_a_sentence(editor, tmp_path):
    params = {"addresses": ["nonsense"], "folder": str(tmp_path)}
    _, sentence = await editor.error("scopelight/captureServers", params)
    assert "'nonsense' is no address" in sentence


async def test_jobs_that_listen_are_listed(editor):
    assert isinstance((await editor.result("scopelight/localJobs", {}))["jobs"], list)
