"""``profile_script``: run a script under capture, after a person agreed, and summarise what it captured."""

import shlex
from pathlib import Path
from typing import Annotated

import attrs

from scopelight.agents.answer import Answer, Section, ToolError
from scopelight.agents.consent import asked_first
from scopelight.agents.desk import Asked
from scopelight.agents.foreign import plain_place, quoted
from scopelight.agents.scripts import (
    ArgumentsOption,
    ConfirmedOption,
    PythonOption,
    ScriptOption,
    command_of,
    folder_of,
    said_of,
    script_of,
)
from scopelight.agents.started import Started, start
from scopelight.agents.tool import NoRun, call
from scopelight.agents.tools.summary import SummaryOptions, summarised
from scopelight.analysis.options import Option
from scopelight.model.run.information import RunInformation


@attrs.frozen
class ProfileScriptOptions(NoRun):
    """Which script, and how much of it."""

    script: ScriptOption = attrs.field(kw_only=True)
    args: ArgumentsOption = ()
    steps: Annotated[int, Option("Training steps to capture, after compilation has settled.", least=1, most=1000)] = 5
    whole: Annotated[bool, Option("Capture the whole script instead, where it has no steps.")] = False
    runs_on: Annotated[
        bool, Option("Let the script run to its end; without it, it is interrupted once its steps are captured.")
    ] = False
    python: PythonOption = None
    confirmed: ConfirmedOption = False


def profile_script(asked: Asked[ProfileScriptOptions]) -> Answer:
    """Run the script, once a person agreed; and what it captured."""
    options = asked.options
    script = script_of(asked, options.script)
    folder = folder_of(asked, script)
    window = ["--whole"] if options.whole else ["--steps", str(options.steps)]
    command = ["run", *window, *command_of(script, folder, options.args, options.python)]
    again = call(
        "profile_script",
        script=options.script,
        args=options.args,
        steps=None if options.whole else options.steps,
        whole=options.whole or None,
        runs_on=options.runs_on or None,
        python=options.python,
        confirmed=True,
    )
    question = asked_first(asked, shlex.join(["scopelight", *command]), again)
    if question is not None:
        return question
    started = start(command, folder, asked.desk.client, lambda run: _is_enough(run, options))
    if started.was_cancelled:
        raise ToolError("It was cancelled; the script was interrupted.", call("list_runs"))
    captured = [path for path in started.runs if _has_profile(path)]
    if not captured:
        raise ToolError(_why_nothing(started, options.script), call("list_runs"))
    return _captured(asked, captured[-1], started)


def _is_enough(run: RunInformation, options: ProfileScriptOptions) -> bool:
    return not options.runs_on and not options.whole and run.state == "captured"


def _has_profile(path: Path) -> bool:
    return any(path.glob("plugins/profile/*/*.xplane.pb"))


def _why_nothing(started: Started, script: str) -> str:
    said = " ".join(started.ours) or " ".join(started.said)
    ended = f"{quoted(script)} ended with exit code {started.code}, and no profile was captured"
    return f"{ended}: {quoted(said, 300)}" if said else f"{ended}."


def _captured(asked: Asked[ProfileScriptOptions], path: Path, started: Started) -> Answer:
    name = asked.desk.workspace.name_of(path)
    ended = "it was interrupted once its steps were captured" if started.was_stopped else f"exit code {started.code}"
    heads = [f"Captured {plain_place(name)} of {quoted(asked.options.script)}: {ended}.", *said_of(started)]
    own = Asked(asked.desk, asked.tool, SummaryOptions(run=name))
    told = summarised(own)
    return attrs.evolve(told, sections=[Section(heads), *told.sections], data={"run": name, **told.data}, run=path)
