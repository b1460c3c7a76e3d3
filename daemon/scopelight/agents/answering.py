"""A call of a tool from its name and arguments to what is sent back."""

import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from scopelight.agents.answer import Answer, Place, ToolError, error_text
from scopelight.agents.arguments import ArgumentError, arguments_of
from scopelight.agents.desk import Asked, Desk
from scopelight.agents.foreign import quoted
from scopelight.agents.suggested import call_to_profile
from scopelight.agents.table import TOOLS
from scopelight.agents.tool import OfRun, Tool, call


@attrs.frozen
class Called:
    """What came of a call: the text, and whether the tool could not answer.

    ``view`` is the view, and ``place`` the line, that an editor can show beside it; ``run`` the run that it is about.
    """

    text: str
    is_error: bool = False
    view: str | None = None
    place: Place | None = None
    run: Path | None = None


def call_tool(desk: Desk, name: str, given: Mapping[str, Any], log: Callable[[str], None] = lambda _: None) -> Called:
    """Call a tool. Never raises: a fault of ours is said in a sentence, and what it was goes to the ``log``."""
    tool = TOOLS.get(name)
    if tool is None:
        known = ", ".join(TOOLS)
        return Called(
            error_text(ToolError(f"There is no tool {quoted(name)}; there are {known}.", call("list_runs"))), True
        )
    try:
        answer = _answer(desk, tool, given)
        written = answer.as_json() if given.get("format") == "json" else answer.as_text()
        place = answer.place if tool.shows_line else None
        return Called(written, view=tool.shown_as, place=place, run=answer.run)
    except ToolError as error:
        return Called(error_text(error), True)
    except ArgumentError as error:
        return Called(error_text(ToolError(str(error), _example(desk, tool))), True)
    except Exception as fault:
        log(traceback.format_exc())
        said = f"{tool.name} failed for a fault in Scopelight ({type(fault).__name__}), which its log has in full."
        return Called(error_text(ToolError(said, call("list_runs"))), True)


def _answer(desk: Desk, tool: Tool, given: Mapping[str, Any]) -> Answer:
    arguments = arguments_of(tool, given)
    asked: Asked[Any] = Asked(desk, tool, arguments.own, arguments.of_view)
    answer: Answer
    if not isinstance(arguments.own, OfRun):
        answer = tool.function()(asked)
        return answer
    from scopelight.report.prediction.marks import predicted_times  # noqa: PLC0415 (as all that words figures)

    with predicted_times(asked.subject().profile.prediction is not None):
        answer = tool.function()(asked)
        return attrs.evolve(answer, run=asked.path)


def _example(desk: Desk, tool: Tool) -> str:
    """A call of a tool that it would take."""
    if tool.runs_script:
        return call_to_profile(desk.workspace, tool.name, **_BESIDE_SCRIPT.get(tool.name, {}))
    return _EXAMPLES.get(tool.name, call(tool.name))


_EXAMPLES: Mapping[str, str] = {
    "line_detail": call("hot_lines"),
    "op_detail": call("hot_lines"),
    "sql": call("sql", query=".schema"),
}
_BESIDE_SCRIPT: Mapping[str, Mapping[str, str]] = {"predict_on_tpu": {"tpu": "v5e-8"}}
