"""Scripts that tools start: which file is meant, where it runs, and what its output says at its end."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from scopelight.agents.answer import ToolError
from scopelight.agents.desk import Asked, of_all
from scopelight.agents.foreign import is_called, quoted
from scopelight.agents.started import Started
from scopelight.agents.suggested import scripts_in
from scopelight.agents.tool import call
from scopelight.analysis.options import Option

ScriptOption = Annotated[
    str, Option('The script, a path in the workspace such as "train.py", or a module as "-m package.train".')
]
ArgumentsOption = Annotated[tuple[str, ...], Option("The script's arguments, one an element.")]
PythonOption = Annotated[
    str | None,
    Option("The interpreter to run it with; without it that of the active or the project's virtual environment."),
]
ConfirmedOption = Annotated[
    bool,
    Option("Whether the person agreed that the script runs. Ask them; never set it on your own."),
]
_MODULE = re.compile(r"-m\s+([\w.]+)")
_MOST_SCRIPTS = 6
_MOST_LINES = 3


def script_of(asked: Asked[Any], named: str) -> Path | str:
    """The file that is named, or the name of the module. Raises `ToolError` where it is none of the workspace."""
    module = _MODULE.fullmatch(named.strip())
    if module is not None:
        return module[1]
    file = asked.desk.workspace.file(named)
    if file.is_file():
        return file
    known = list(scripts_in(asked.desk.workspace))
    for each in known:
        # What answers say is written otherwise where it holds quotation marks.
        if is_called(each, named):
            return asked.desk.workspace.file(each)
    scripts = [quoted(each, 80) for each in known]
    there = f"scripts there are {of_all(scripts, _MOST_SCRIPTS)}" if scripts else "it has no script"
    raise ToolError(f"There is no script {quoted(named, 80)} in the workspace; {there}.", call("list_runs"))


def folder_of(asked: Asked[Any], script: Path | str) -> Path:
    """The folder that a script runs in: the workspace's that holds it."""
    if isinstance(script, Path):
        for root in asked.desk.workspace.roots:
            if script.resolve().is_relative_to(root):
                return root
    return asked.base


def command_of(script: Path | str, folder: Path, arguments: Sequence[str], python: str | None) -> list[str]:
    """The end of a command line that starts a script."""
    chosen = ["--python", python] if python else []
    if isinstance(script, str):
        return [*chosen, "-m", script, *arguments]
    # After -- a script may begin with a dash.
    where = script.resolve()
    named = str(where.relative_to(folder)) if where.is_relative_to(folder) else str(where)
    return [*chosen, "--", named, *arguments]


def said_of(started: Started) -> Iterator[str]:
    """What the script printed last, where it failed, and what of Scopelight's is worth a word."""
    if started.code and not started.was_stopped:
        last = [*started.said, *started.output][-_MOST_LINES:]
        yield from (f"It said {quoted(each, 160)}" for each in last if each.strip())
