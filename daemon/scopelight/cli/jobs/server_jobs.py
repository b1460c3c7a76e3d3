"""The jobs of this machine that listen, as a list."""

import json
import sys
from collections.abc import Sequence

import attrs
import click
from rich.cells import cell_len, set_cell_size

from scopelight.capture.servers.job import LocalJob
from scopelight.report.foreign_text import printable

_KINDS = {
    "current": "can be captured",
    "older": "older than jaxlib 0.9: can freeze or end of it",
    "tensorflow": "TensorFlow's own server",
}


def print_jobs(jobs: Sequence[LocalJob], *, as_json: bool) -> None:
    """Print them to standard output."""
    if as_json:
        json.dump([attrs.asdict(each) for each in jobs], sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    if not jobs:
        click.echo("No job of this machine listens: a job does after jax.profiler.start_server(PORT).")
        return
    rows = [("address", "process", "script", "jaxlib", "")]
    for job in jobs:
        state = _KINDS[job.kind] + (", shares its port" if job.shares_port else "")
        command = printable(" ".join((job.script, *job.arguments)))
        rows.append((job.address, str(job.pid), command, job.jaxlib or "?", state))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)]
        click.echo("  ".join(cells).rstrip())
