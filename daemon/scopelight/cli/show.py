"""``scopelight show``: what a run, a log directory or one file holds; one command per view."""

from pathlib import Path

import click

from scopelight.analysis.lines.hot_lines import hot_lines
from scopelight.analysis.records import LinesRecord
from scopelight.cli.json_output import print_json
from scopelight.cli.show_memory import memory_lines, memory_viewer
from scopelight.cli.show_memory_profile import memory_profile
from scopelight.cli.show_ops import flops, op_profile, ops, roofline
from scopelight.cli.show_padding import padding
from scopelight.cli.show_timeline import timeline
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.model.opening.profile import open_profile
from scopelight.source.text import SourceText
from scopelight.source.workspace import line_options


@click.group()
def show() -> None:
    """Show what a run holds. PATH is a run, a TensorBoard log directory or one file."""


for view in (ops, op_profile, flops, roofline, padding, timeline, memory_viewer, memory_lines, memory_profile):
    show.add_command(view)


@show.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Lines to print; JSON has all."
)
def lines(path: Path, as_json: bool, limit: int) -> None:
    """The lines of source that the time went to, longest first."""
    try:
        if as_json:
            print_json(lines_record(path)[0])
        else:
            print_lines(path, limit=limit)
    except FormatError as error:
        exit_unreadable(error)


def lines_record(path: Path) -> tuple[LinesRecord, SourceText]:
    """The hot lines of a path as seen from the current directory, and the text of their files.

    Raises `FormatError` where the path cannot be read.
    """
    profile = open_profile(path)
    options = line_options(profile, Path.cwd())
    capture = profile.capture
    text = SourceText(capture.sources, capture.cwd, options.renamed) if capture else SourceText()
    return hot_lines(profile, options), text


def print_lines(path: Path, *, limit: int = 20) -> None:
    """Print the hot lines of a path to standard output. Raises `FormatError` where it cannot be read."""
    # What writes for people is left out where JSON is asked for.
    from rich.console import Console  # noqa: PLC0415

    from scopelight.report.lines import render_lines  # noqa: PLC0415

    record, text = lines_record(path)
    render_lines(record, Console(), base=Path.cwd(), limit=limit, line_text=text.line)
