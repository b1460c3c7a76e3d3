"""An agent that follows a script: it has the tools and their text alone, and no model.

What it does is what the skill says: a summary, then the advice, then the line that this is about and the first that
runs.
"""

import re

import attrs

from scopelight.agents.answering import call_tool
from scopelight.agents.desk import Desk
from scopelight.agents.workspace import Workspace

_ADVICE = re.compile(r"^\d+\. (?P<code>[\w-]+)(?: \(\w+ confidence\))?(?: (?P<place>\S+:\d+))?", re.MULTILINE)
_LINE = re.compile(r"^(?P<place>\S+:\d+)  .*?; (?P<what>runs|waits: [^;]*);", re.MULTILINE)
_OP = re.compile(r'^"(?P<primitive>[^"]*)" \("[^"]*"\)  .*; (?P<place>\S+:\d+)$', re.MULTILINE)
_SLOW_HOST = re.compile(
    r"^(?P<host>\S+) costs .* per step: it (?P<reason>works longer|launches late)(?:, (?P<where>\S+:\d+|in \S+))?\. ",
    re.MULTILINE,
)
MOST_CALLS = 4


@attrs.frozen
class Found:
    """What it has found after its calls, all of it read in the text of the answers."""

    summary: str
    calls: int
    advice: dict
    """The codes of what is advised, each with its line, the first first."""
    lines: list
    """The first lines, each with what it does: ``runs``, ``waits: input``. One may do both."""
    ops: dict
    """The lines of the first ops, by what computes there."""
    slow_host: tuple | None
    """The host that holds the others up, why, and the line or what it was marked to be in, where that is known."""
    details: dict
    """What is said of each line that it opened."""

    @property
    def running(self):
        """The first line that runs."""
        return next((place for place, what in self.lines if what == "runs"), None)


class ScriptedAgent:
    """Looks into one run of a workspace."""

    def __init__(self, *roots):
        self._desk = Desk(Workspace.of(roots))
        self.calls = 0

    def investigate(self, script):
        """Find the line and the cause in the newest run of a script."""
        runs = self.ask("list_runs")
        run = next(line.split("  ")[0] for line in runs.splitlines()[1:-1] if f'"{script}' in line)
        return self.investigate_run(run)

    def investigate_run(self, run):
        """The same in a run that is known."""
        summary = self.ask("summary", run=run)
        advice = {}
        if "What would make it faster" in summary:
            text = self.ask("advice", run=run)
            advice = {each["code"]: each["place"] for each in _ADVICE.finditer(text)}
        ops = {}
        for each in _OP.finditer(summary):
            ops.setdefault(each["primitive"], each["place"])
        slow = _SLOW_HOST.search(summary)
        found = Found(
            summary=summary,
            calls=0,
            advice=advice,
            lines=[(each["place"], each["what"]) for each in _LINE.finditer(summary)],
            ops=ops,
            slow_host=slow and (slow["host"], slow["reason"], slow["where"]),
            details={},
        )
        slow_place = slow["where"] if slow and ":" in (slow["where"] or "") else None
        advised = next(filter(None, [slow_place, *advice.values()]), None)
        for place in dict.fromkeys(filter(None, (advised, found.running))):
            if self.calls < MOST_CALLS:
                found.details[place] = self.ask("line_detail", run=run, line=place)
        return attrs.evolve(found, calls=self.calls)

    def ask(self, tool, **arguments):
        """The text of an answer."""
        self.calls += 1
        called = call_tool(self._desk, tool, arguments)
        assert not called.is_error, called.text
        assert len(called.text) <= 4000
        return called.text
