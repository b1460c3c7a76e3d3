"""Resources and prompts: what a client may read without calling a tool."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from scopelight.agents.answering import call_tool
from scopelight.agents.desk import Desk
from scopelight.agents.skill import SKILL_DESCRIPTION, skill_text
from scopelight.server.mcp.messages import INVALID_PARAMS, RESOURCE_NOT_FOUND, ProtocolError

PROMPT: Final = "make_faster"


@attrs.frozen
class Resource:
    """One resource: what it is called, and its text."""

    name: str
    description: str
    mime_type: str
    text: Callable[[Desk], str]


RESOURCES: Mapping[str, Resource] = {
    "scopelight://runs": Resource(
        "runs",
        "The captured runs of the workspace, newest first, as JSON.",
        "application/json",
        lambda desk: call_tool(desk, "list_runs", {"format": "json"}).text,
    ),
    "scopelight://schema": Resource(
        "schema", "The tables that the tool sql asks, with a sentence a column.", "text/plain", lambda _desk: _schema()
    ),
    "scopelight://skill": Resource("skill", SKILL_DESCRIPTION, "text/markdown", lambda _desk: skill_text()),
}
"""By their URI."""


def _schema() -> str:
    from scopelight.sql.described import schema_tables  # noqa: PLC0415 (few read it)

    lines = []
    for table in schema_tables():
        lines.append(f"{table.name}: {table.sentence}")
        lines.extend(f"  {column.name} {column.kind}: {column.sentence}" for column in table.columns)
    return "\n".join(lines)


def list_resources() -> dict[str, Any]:
    """The result of ``resources/list``."""
    return {
        "resources": [
            {"uri": uri, "name": each.name, "description": each.description, "mimeType": each.mime_type}
            for uri, each in RESOURCES.items()
        ]
    }


def read_resource(desk: Desk, uri: object) -> dict[str, Any]:
    """The result of ``resources/read``. Raises `ProtocolError` where there is no such resource."""
    found = RESOURCES.get(uri) if isinstance(uri, str) else None
    if found is None:
        raise ProtocolError(RESOURCE_NOT_FOUND, f"There is no such resource; there are {', '.join(RESOURCES)}.")
    return {"contents": [{"uri": uri, "mimeType": found.mime_type, "text": found.text(desk)}]}


def list_prompts() -> dict[str, Any]:
    """The result of ``prompts/list``."""
    argument = {"name": "script", "description": "The script that is slow.", "required": False}
    return {
        "prompts": [
            {
                "name": PROMPT,
                "title": "Make a JAX script faster",
                "description": SKILL_DESCRIPTION,
                "arguments": [argument],
            }
        ]
    }


def get_prompt(name: object, arguments: object) -> dict[str, Any]:
    """The result of ``prompts/get``. Raises `ProtocolError` where there is no such prompt."""
    if name != PROMPT:
        raise ProtocolError(INVALID_PARAMS, f"There is no such prompt; there is {PROMPT}.")
    script = arguments.get("script") if isinstance(arguments, dict) else None
    wish = f"Make {Path(script).name if isinstance(script, str) and script else 'the script'} faster, as follows.\n\n"
    message = {"role": "user", "content": {"type": "text", "text": wish + skill_text()}}
    return {"description": SKILL_DESCRIPTION, "messages": [message]}
