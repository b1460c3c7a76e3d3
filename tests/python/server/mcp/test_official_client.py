"""The official client of MCP, as agents have it: tools, resources, prompts, and a person that is asked."""

import shutil
import sys
from contextlib import asynccontextmanager

import pytest
from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

from scopelight.agents.answer import MOST_CHARACTERS
from scopelight.agents.table import TOOLS

ARGUMENTS = {
    "line_detail": {"line": "network.py:5"},
    "op_detail": {"op": "dot_general"},
    "profile_script": {"script": "train.py"},
    "predict_on_tpu": {"script": "train.py", "tpu": "v5e-8"},
    "sql": {"query": "select path, line, self_ps from lines order by self_ps desc"},
    "compare": {"before": "first", "after": "first"},
}


@asynccontextmanager
async def connected(folder, **callbacks):
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "scopelight.cli.main", "mcp", "--root", str(folder)]
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write, **callbacks) as session:
        await session.initialize()
        yield session


@pytest.fixture
def own_folder(captured, tmp_path):
    """A copy of the workspace, in which scripts leave what they do: others list what is in the one that all share."""
    return shutil.copytree(captured.folder, tmp_path / "workspace")


def text_of(result):
    (content,) = result.content
    return content.text


@pytest.mark.asyncio
async def test_every_tool_is_listed_and_answers(captured):
    async with connected(captured.folder) as session:
        listed = (await session.list_tools()).tools
        assert [each.name for each in listed] == list(TOOLS)
        for tool in listed:
            result = await session.call_tool(tool.name, ARGUMENTS.get(tool.name, {}))
            text = text_of(result)
            assert not result.is_error, text
            assert len(text) <= MOST_CHARACTERS
            assert text.splitlines()[-1].startswith("next: ")


@pytest.mark.asyncio
async def test_what_runs_a_script_says_so(captured):
    async with connected(captured.folder) as session:
        tools = {each.name: each.annotations for each in (await session.list_tools()).tools}
        assert tools["profile_script"].destructive_hint
        assert not tools["profile_script"].read_only_hint
        assert tools["summary"].read_only_hint


@pytest.mark.asyncio
async def test_resources_and_the_prompt_are_read(captured):
    async with connected(captured.folder) as session:
        uris = [str(each.uri) for each in (await session.list_resources()).resources]
        assert {"scopelight://runs", "scopelight://schema", "scopelight://skill"} == set(uris)
        for uri in uris:
            assert (await session.read_resource(uri)).contents[0].text
        (prompt,) = (await session.list_prompts()).prompts
        got = await session.get_prompt(prompt.name, {"script": "train.py"})
        assert "train.py" in got.messages[0].content.text


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("action", "content", "said"),
    [
        ("accept", {"run": True}, "ended with exit code"),
        ("accept", {"run": False}, "did not agree"),
        ("decline", None, "did not agree"),
        ("cancel", None, "did not agree"),
    ],
)
async def test_a_client_that_can_ask_asks_the_person(own_folder, action, content, said):
    asked = []

    async def answer(_context, params):
        asked.append(params.message)
        return types.ElicitResult(action=action, content=content)

    (own_folder / "fails.py").write_text("raise SystemExit(3)\n")
    async with connected(own_folder, elicitation_callback=answer) as session:
        # Whatever the model says of the person, they are asked.
        result = await session.call_tool("profile_script", {"script": "fails.py", "confirmed": True})
        assert said in text_of(result)
        assert len(asked) == 1
        assert "fails.py" in asked[0]


@pytest.mark.asyncio
async def test_a_client_that_cannot_ask_is_told_to(captured):
    async with connected(captured.folder) as session:
        result = await session.call_tool("profile_script", {"script": "train.py"})
        assert "Nothing was run yet" in text_of(result)
        assert "confirmed=true" in text_of(result).splitlines()[-1]


@pytest.mark.asyncio
async def test_progress_is_told_while_a_script_runs(own_folder):
    told = []

    async def progress(_progress, _total, message):
        told.append(message)

    (own_folder / "short.py").write_text(
        "import jax\nf = jax.jit(lambda x: x @ x)\nfor _ in range(3):\n    f(jax.numpy.eye(8)).block_until_ready()\n"
    )
    async with connected(own_folder) as session:
        arguments = {"script": "short.py", "whole": True, "confirmed": True}
        result = await session.call_tool("profile_script", arguments, progress_callback=progress)
        assert "Captured" in text_of(result), text_of(result)
        assert told
