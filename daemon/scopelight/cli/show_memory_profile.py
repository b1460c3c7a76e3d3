"""``scopelight show memory-profile``: what was in memory while a script ran, and how it ran out of it."""

from pathlib import Path

import click

from scopelight.cli.json_output import print_json
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError


@click.command("memory-profile")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Rows to print; JSON has all.")
def memory_profile(path: Path, as_json: bool, limit: int) -> None:
    """Every memory over time and at its peak, live arrays by line, and what took it where a script ran out of it.

    PATH may also be a snapshot of memory (pprof), as jax.profiler.save_device_memory_profile writes it.
    """
    from scopelight.analysis.memory.profile.memory_profile import memory_profile as record_of  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.source.workspace import line_options  # noqa: PLC0415

    try:
        profile = open_profile(path)
        record = record_of(profile, line_options(profile, Path.cwd()))
    except FormatError as error:
        exit_unreadable(error)
    if as_json:
        print_json(record)
        return
    from rich.console import Console  # noqa: PLC0415

    from scopelight.report.memory_profile import render_memory_profile  # noqa: PLC0415

    render_memory_profile(record, Console(), base=Path.cwd(), limit=limit)
