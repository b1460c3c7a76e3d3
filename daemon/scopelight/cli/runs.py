"""``scopelight runs``: the runs captured in a folder, newest first."""

import json
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import attrs
import click
from rich.cells import cell_len, set_cell_size

from scopelight.cli.arguments import PathArgument
from scopelight.model.run.listing import RunRecord, find_runs
from scopelight.report.numbers import byte_size


@click.command()
@click.argument("path", type=PathArgument(), default=Path())
@click.option("--json", "as_json", is_flag=True, help="Print the runs as JSON.")
def runs(path: Path, as_json: bool) -> None:
    """List the captured runs of a folder (default: the current one), newest first.

    PATH is a folder with runs, or one run.
    """
    if not path.is_dir():
        click.echo(f"scopelight: {path} is not a folder: name the folder in which scripts were run.", err=True)
        sys.exit(1)
    found = find_runs(path)
    if as_json:
        json.dump([attrs.asdict(run) for run in found], sys.stdout, indent=1)
        sys.stdout.write("\n")
    elif not found:
        click.echo(f"No run was captured in {path.resolve()}. Capture one: scopelight run SCRIPT")
    else:
        _print(found)


def _print(found: Sequence[RunRecord]) -> None:
    rows = [("run", "captured", "script", "device", "size", "state")]
    for run in found:
        kind = run.device_kind or (run.backend or "?").upper()
        device = f"{run.devices} × {kind}" if run.devices else kind
        state = run.problem or run.state or "?"
        if run.exit_code:
            state += f", exit code {run.exit_code}"
        if run.out_of_memory:
            state += ", out of memory"
        command = " ".join((run.script or "?", *map(shlex.quote, run.args)))
        captured = (run.created or "?").replace("T", " ").removesuffix("+00:00")
        rows.append((run.path, captured, command, device, byte_size(run.size_bytes), state))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
