"""``scopelight runs``: the runs captured in a folder, newest first."""

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs
import click
from rich.cells import cell_len, set_cell_size

from scopelight.cli.parameters.places import PlaceArgument
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.model.run.experiment import ListedExperiment, find_experiments
from scopelight.model.run.listing import RunRecord, find_runs
from scopelight.model.run.log_directories import SessionRecord, find_log_directories
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_size
from scopelight.report.run.listed import as_it_is

SHORT = 8
"""Digits of a commit."""


@click.command()
@click.argument("path", type=PlaceArgument(), default=Path())
@click.option("--json", "as_json", is_flag=True, help="Print the runs as JSON.")
def runs(path: Path | str, as_json: bool) -> None:
    """List the captured runs of a folder (default: the current one), newest first, and its other log directories.

    Rounds of two revisions are listed as one: scopelight compare shows what changed between them.

    Sessions and hosts are listed where there are several. PATH is a folder with runs, one run, or the address of a log
    directory on a server (s3://, gs://, https://).
    """
    found: list[RunRecord] = []
    experiments: list[ListedExperiment] = []
    if isinstance(path, str):
        from scopelight.model.remote.listed import list_directories  # noqa: PLC0415 (few paths are addresses)

        try:
            directories = list_directories(path)
        except FormatError as error:
            exit_unreadable(error)
    elif not path.is_dir():
        click.echo(
            f"scopelight: {printable(str(path))} is not a folder: name the folder in which scripts were run.", err=True
        )
        sys.exit(1)
    else:
        found, directories = list(map(as_it_is, find_runs(path))), find_log_directories(path)
        experiments = find_experiments(path)
    if as_json:
        records = [{"kind": "run", **attrs.asdict(run)} for run in found]
        records += [{"kind": "experiment", **attrs.asdict(each)} for each in experiments]
        records += [{"kind": "log-directory", **attrs.asdict(each)} for each in directories]
        json.dump(records, sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    if found:
        _print(found)
    for experiment in experiments:
        click.echo(printable(_experiment(experiment)))
    for directory in directories:
        click.echo(f"{printable(directory.path)}: {_counted(len(directory.sessions), 'session')}")
        _print_sessions(directory.sessions)
    if not found and not experiments and not directories and isinstance(path, Path):
        click.echo(f"No run was captured in {printable(str(path.resolve()))}. Capture one: scopelight run SCRIPT")


def _print_sessions(sessions: Sequence[SessionRecord]) -> None:
    for session in sessions:
        size = "" if session.size_bytes is None else f"  {byte_size(session.size_bytes)}"
        joined = f" in {session.folders} folders" if session.folders > 1 else ""
        click.echo(f"  {printable(session.path)}  {_counted(len(session.hosts), 'host')}{joined}{size}")
        for host in session.hosts if len(session.hosts) > 1 else ():
            click.echo(f"    {printable(host.path or host.name)}")


def _experiment(experiment: ListedExperiment) -> str:
    """One line: rounds of two revisions."""
    if experiment.problem is not None:
        return f"{experiment.path}: {experiment.problem}"
    command = " ".join((experiment.script or "?", *map(shlex.quote, experiment.args)))
    before, after = (
        f"{side.commit[:SHORT] or '?'}{'*' if side.dirty else ''}" for side in (experiment.before, experiment.after)
    )
    whole = "" if experiment.rounds_planned in (None, experiment.rounds) else f" of {experiment.rounds_planned}"
    state = "" if experiment.state == "finished" else f", {experiment.state or '?'}"
    rounds = f"{experiment.rounds}{whole} round{'' if experiment.rounds == 1 and not whole else 's'}"
    return f"{experiment.path}: {command}, {before} \N{RIGHTWARDS ARROW} {after}, {rounds}{state}"


def _counted(number: int, what: str) -> str:
    """``2 hosts``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _print(found: Sequence[RunRecord]) -> None:
    rows: list[tuple[str, ...]] = [("run", "captured", "script", "device", "size", "state")]
    for run in found:
        kind = run.device_kind or (run.backend or "?").upper()
        device = f"{run.devices} × {kind}" if run.devices else kind
        if run.predicted_for is not None:
            device = f"predicted for {run.predicted_for}"
        state = run.problem or run.state or "?"
        if run.was_cancelled:
            state += ", cancelled"
        if run.exit_code:
            state += f", exit code {run.exit_code}"
        if run.out_of_memory:
            state += ", out of memory"
        command = " ".join((run.script or "?", *map(shlex.quote, run.args)))
        captured = (run.created or "?").replace("T", " ").removesuffix("+00:00")
        shown = (run.path, captured, command, device, byte_size(run.size_bytes), state)
        rows.append(tuple(map(printable, shown)))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row, listed in zip(rows, (None, *found), strict=True):
        cells = [set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
        if listed is not None and (len(listed.sessions) > 1 or any(len(each.hosts) > 1 for each in listed.sessions)):
            _print_sessions(listed.sessions)
