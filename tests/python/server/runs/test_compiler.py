"""The compiler for TPUs, as an editor asks for it."""

import os

import pytest
import pytest_asyncio

from made.compilers import stand_in_of_user
from scopelight.capture.tpu_compiler.environment import DISK_BYTES
from scopelight.capture.tpu_compiler.topologies import topology_named

pytestmark = pytest.mark.asyncio


@pytest_asyncio.fixture
async def editor(start_editor, extension_options, tmp_path):
    # There is nowhere to download it from.
    editor = await start_editor(XDG_CACHE_HOME=str(tmp_path / "cache"), PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
    await editor.initialize(tmp_path, options=extension_options)
    return editor


async def test_what_it_costs_is_known_before_it_is_there(editor, tmp_path):
    state = await editor.result("scopelight/compilerState")
    assert not state["is_there"]
    assert state["folder"] == str(tmp_path / "cache" / "scopelight")
    assert state["disk_bytes"] == DISK_BYTES
    assert state["problem"] is None
    stand_in_of_user(tmp_path / "cache")
    assert (await editor.result("scopelight/compilerState"))["is_there"]


async def test_tpus_are_offered_with_what_they_are(editor):
    offered = {
        each["name"]: each["description"] for each in (await editor.result("scopelight/compilerState"))["offered"]
    }
    assert offered["v5e-8"] == "8 devices of 16 GiB, chips 2×4"
    assert offered["v5e-1"] == "1 device of 16 GiB"
    assert offered["v4-8"] == "4 devices of 32 GiB, chips 2×2×1"
    assert all(topology_named(each).devices >= 1 for each in offered)


async def test_names_are_looked_at_before_anything_is_started(editor):
    assert (await editor.result("scopelight/nameTpu", {"name": "2xv6e-256"}))["problem"] is None
    assert "v5e-8" in (await editor.result("scopelight/nameTpu", {"name": "h100"}))["problem"]


async def test_it_is_removed(editor, tmp_path):
    stand_in_of_user(tmp_path / "cache")
    assert (await editor.result("scopelight/removeCompiler"))["removed_bytes"] > 0
    assert not (await editor.result("scopelight/compilerState"))["is_there"]
    assert (await editor.result("scopelight/removeCompiler"))["removed_bytes"] == 0


async def test_a_download_that_fails_is_a_sentence(editor, tmp_path):
    _, said = await editor.error("scopelight/installCompiler", {"workDoneToken": None})
    assert said.startswith("The compiler for TPUs could not be downloaded and installed (")
    assert said.endswith("): look at the network, or at what pip is configured with, and try again.")
    assert list((tmp_path / "cache" / "scopelight").iterdir()) == []
