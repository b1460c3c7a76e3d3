"""``list_runs``: which runs there are."""

from pathlib import Path

import attrs

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.foreign import one_line, plain_place, quoted
from scopelight.agents.tool import NoRun, call
from scopelight.agents.workspace import Workspace
from scopelight.model.run.listing import RunRecord
from scopelight.model.run.log_directories import LogDirectoryRecord, find_log_directories
from scopelight.report.numbers import byte_size

_MOST_DIRECTORIES = 10
_INTERRUPTED = 130
"""Exit code of a script that was ended once its steps were captured."""


@attrs.frozen
class ListRunsOptions(NoRun):
    """Nothing beside the form of the answer."""


def list_runs(asked: Asked[ListRunsOptions]) -> Answer:
    """The runs of the workspace, newest first, and the log directories of other tools."""
    workspace = asked.desk.workspace
    runs = workspace.runs()
    directories = [
        each for root in workspace.roots for each in find_log_directories(root) if workspace.holds(Path(each.path))
    ]
    readable = [run for run in runs if run.problem is None and run.state == "captured"]
    if readable:
        next_call = call("summary", run=workspace.name_of(Path(readable[0].path)))
    elif directories:
        next_call = call("summary", run=workspace.relative(Path(directories[0].path)))
    else:
        next_call = 'profile_script(script="train.py")'
    sections = [Section([_head(runs, workspace)], [_row(workspace, run) for run in runs])]
    if directories:
        rows = [_directory(workspace, each) for each in directories[:_MOST_DIRECTORIES]]
        left_out = len(directories) - len(rows)
        sections.append(Section(["Log directories of other tools:"], rows, left_out=left_out))
    data = {
        "runs": [_data(workspace, run) for run in runs],
        "log_directories": [workspace.relative(Path(each.path)) for each in directories],
    }
    return Answer(sections, data, next_call)


def _head(runs: list[RunRecord], workspace: Workspace) -> str:
    roots = ", ".join(plain_place(str(root)) for root in workspace.roots)
    if not runs:
        return f"No run was captured in {roots}. profile_script captures one."
    return f"{len(runs)} run{'s' if len(runs) > 1 else ''} in {roots}, newest first; without run=… the first is meant."


def _row(workspace: Workspace, run: RunRecord) -> str:
    name = plain_place(workspace.name_of(Path(run.path)))
    if run.problem is not None:
        return f"{name}  cannot be read: {quoted(run.problem, 100)}"
    command = quoted(" ".join((run.script or "?", *run.args)), 80)
    facts = [f"{_when(run)} UTC", command, _device(run)]
    if run.steps:
        facts.append(f"{run.steps} steps")
    facts.append(byte_size(run.size_bytes))
    if run.state != "captured":
        facts.append(one_line(run.state or "unknown state"))
    if run.failure:
        facts.append(quoted(run.failure, 120))
    if run.out_of_memory:
        facts.append("out of memory")
    elif run.exit_code == _INTERRUPTED:
        facts.append("interrupted")
    elif run.exit_code:
        facts.append(f"exit code {run.exit_code}")
    if run.error is not None:
        facts.append(f"raised {quoted(run.error.kind, 40)}")
    return f"{name}  {'; '.join(facts)}"


def _when(run: RunRecord) -> str:
    return one_line((run.created or "?").replace("T", " ").removesuffix("+00:00"))[:19]


def _device(run: RunRecord) -> str:
    if run.predicted_for is not None:
        return f"predicted for {quoted(run.predicted_for, 40)}, not measured"
    kind = run.device_kind or (run.backend or "?").upper()
    return f"{run.devices or '?'} × {quoted(kind, 40)}"


def _directory(workspace: Workspace, directory: LogDirectoryRecord) -> str:
    sessions = len(directory.sessions)
    return f"{plain_place(workspace.relative(Path(directory.path)))}  {sessions} session{'s' if sessions != 1 else ''}"


def _data(workspace: Workspace, run: RunRecord) -> dict[str, object]:
    return {
        "run": workspace.name_of(Path(run.path)),
        "created": run.created,
        "script": None if run.script is None else quoted(run.script, 80)[1:-1],
        "args": quoted(" ".join(run.args), 80)[1:-1],
        "device": run.device_kind,
        "devices": run.devices,
        "predicted_for": run.predicted_for,
        "steps": run.steps,
        "state": run.state,
        "problem": run.problem,
        "out_of_memory": run.out_of_memory,
        "size_bytes": run.size_bytes,
    }
