"""An agent that follows a script: it has the tools and their text alone, and no model.

What it does is what the skill says: a summary, then the advice or the first line that runs, then that line.
"""

import re

import attrs

from scopelight.agents.answering import call_tool
from scopelight.agents.desk import Desk
from scopelight.agents.workspace import Workspace

_ADVICE = re.compile(r"^\d+\. (?P<code>[\w-]+)(?: \(\w+ confidence\))?(?: (?P<place>\S+:\d+))?", re.MULTILINE)
_RUNS = re.compile(r"^(?P<place>\S+:\d+)  .*; runs;", re.MULTILINE)
MOST_CALLS = 4


@attrs.frozen
class Found:
    """What it has found after its calls: the line, the codes of what is advised with their lines, and what it read."""

    place: str | None
    advice: dict
    calls: int
    summary: str
    detail: str


class ScriptedAgent:
    """Looks into one run of a workspace."""

    def __init__(self, *roots):
        self._desk = Desk(Workspace.of(roots))
        self._calls = 0

    def investigate(self, script):
        """Find the line and the cause in the newest run of a script."""
        runs = self._ask("list_runs")
        run = next(line.split("  ")[0] for line in runs.splitlines()[1:-1] if f'"{script}' in line)
        return self.investigate_run(run)

    def investigate_run(self, run):
        """The same in a run that is known."""
        summary = self._ask("summary", run=run)
        advice = {}
        if "What would make it faster" in summary:
            text = self._ask("advice", run=run)
            advice = {each["code"]: each["place"] for each in _ADVICE.finditer(text)}
        running = _RUNS.search(summary)
        place = next(filter(None, advice.values()), None) or (running and running["place"])
        detail = self._ask("line_detail", run=run, line=place) if place else ""
        return Found(place, advice, self._calls, summary, detail)

    def _ask(self, tool, **arguments):
        self._calls += 1
        called = call_tool(self._desk, tool, arguments)
        assert not called.is_error, called.text
        assert len(called.text) <= 4000
        return called.text
