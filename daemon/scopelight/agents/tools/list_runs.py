"""``list_runs``: which runs there are."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from scopelight.agents.answer import Answer, Section
from scopelight.agents.desk import Asked
from scopelight.agents.experiments import experiments_of
from scopelight.agents.foreign import guarded_sentence, one_line, plain_place, quoted
from scopelight.agents.suggested import call_to_profile
from scopelight.agents.tool import NoRun, call
from scopelight.agents.workspace import Workspace
from scopelight.model.run.experiment import ListedExperiment
from scopelight.model.run.listing import RunRecord
from scopelight.model.run.log_directories import LogDirectoryRecord, find_log_directories
from scopelight.report.numbers import byte_size

_MOST_BESIDE = 12
"""Runs, where there are experiments, for which room is kept."""
_MOST_DIRECTORIES = 10
_SHORT = 8
"""Of a commit."""
_INTERRUPTED = 130
"""Exit code of a script that was ended once its steps were captured."""


@attrs.frozen
class ListRunsOptions(NoRun):
    """Nothing beside the form of the answer."""


def list_runs(asked: Asked[ListRunsOptions]) -> Answer:
    """The runs of the workspace, newest first, its experiments, and the log directories of other tools."""
    workspace = asked.desk.workspace
    runs = workspace.runs()
    directories = [
        each for root in workspace.roots for each in find_log_directories(root) if workspace.holds(Path(each.path))
    ]
    experiments = experiments_of(workspace)
    comparable = [each for each in experiments if each.rounds]
    readable = [run for run in runs if run.problem is None and run.state == "captured"]
    if readable:
        next_call = call("summary", run=workspace.name_of(Path(readable[0].path)))
    elif comparable:
        next_call = _comparing(workspace, comparable[0])
    elif directories:
        next_call = call("summary", run=workspace.relative(Path(directories[0].path)))
    else:
        next_call = call_to_profile(workspace)
    sections = []
    if runs or not experiments:
        rows = [_row(workspace, run) for run in (runs[:_MOST_BESIDE] if experiments else runs)]
        sections.append(Section([_head(runs, workspace)], rows, left_out=len(runs) - len(rows)))
    if experiments:
        rows = [_experiment(workspace, each) for each in experiments]
        sections.append(Section([_head_of_experiments(experiments, workspace, runs)], rows))
    if directories:
        rows = [_directory(workspace, each) for each in directories[:_MOST_DIRECTORIES]]
        left_out = len(directories) - len(rows)
        sections.append(Section(["Log directories of other tools:"], rows, left_out=left_out))
    data = {
        "runs": [_data(workspace, run) for run in runs],
        "experiments": [_experiment_data(workspace, each) for each in experiments],
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
        facts.append(f"{run.steps} step{'s' if run.steps != 1 else ''}")
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


def _head_of_experiments(
    experiments: Sequence[ListedExperiment], workspace: Workspace, runs: Sequence[RunRecord]
) -> str:
    roots = ", ".join(plain_place(str(root)) for root in workspace.roots)
    number = f"{len(experiments)} experiment{'s' if len(experiments) > 1 else ''}"
    meant = "" if runs else "; without run=… the newest run after the change is meant"
    return f"{number} in {roots}, rounds of two revisions that were captured in turn, newest first{meant}."


def _experiment(workspace: Workspace, each: ListedExperiment) -> str:
    name = plain_place(workspace.name_of(Path(each.path)))
    if each.problem is not None:
        return f"{name}  cannot be read: {guarded_sentence(each.problem)}"
    before, after = (
        f"{plain_place(side.commit[:_SHORT]) or '?'}{'*' if side.dirty else ''}" for side in (each.before, each.after)
    )
    whole = "" if each.rounds_planned in (None, each.rounds) else f" of {each.rounds_planned}"
    rounds = f"{each.rounds}{whole} round{'' if (each.rounds_planned or each.rounds) == 1 else 's'}"
    command = quoted(" ".join((each.script or "?", *each.args)), 80)
    facts = [f"{_when(each)} UTC", command, f"{before} → {after}", rounds]
    if each.state != "finished":
        facts.append(one_line(each.state or "unknown state"))
    if each.rounds:
        facts.append(_comparing(workspace, each))
    return f"{name}  {'; '.join(facts)}"


def _comparing(workspace: Workspace, each: ListedExperiment) -> str:
    return call("compare", before=workspace.name_of(Path(each.path)))


def _experiment_data(workspace: Workspace, each: ListedExperiment) -> dict[str, object]:
    return {
        "experiment": workspace.name_of(Path(each.path)),
        "created": each.created,
        "script": None if each.script is None else quoted(each.script, 80)[1:-1],
        "before": each.before.commit,
        "after": each.after.commit,
        "rounds": each.rounds,
        "rounds_planned": each.rounds_planned,
        "state": each.state,
        "problem": each.problem,
    }


def _when(run: RunRecord | ListedExperiment) -> str:
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
