"""``scopelight export``: a run's timeline as a file for other viewers."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TextIO

import click

from scopelight.analysis.options import OptionError
from scopelight.analysis.timeline.export import Exported, export_timeline
from scopelight.analysis.timeline.records import ExportedTimeline
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.cli.times import TIME
from scopelight.cli.unreadable import UNREADABLE, exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.report.findings.worded import closing, in_terminal, of_severity, worded
from scopelight.report.timeline_file import ProfileItselfError, write_timeline
from scopelight.views.timeline import check_span

_STANDARD_OUTPUT: Final = ("-", "/dev/stdout")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--format",
    "kind",
    type=click.Choice(["chrome"]),
    default="chrome",
    show_default=True,
    help="chrome: JSON for Perfetto (ui.perfetto.dev) and chrome://tracing.",
)
@click.option("--from", "start_ps", type=TIME, help="Leave out what ends before this time, such as 12.5ms.")
@click.option("--to", "end_ps", type=TIME, help="Leave out what begins at this time or later.")
@click.option(
    "--out",
    "output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    required=True,
    help="The file; - is standard output.",
)
def export(path: Path, kind: str, start_ps: int | None, end_ps: int | None, output: Path) -> None:  # noqa: ARG001 (one kind so far)
    """Write the timeline of PATH (a run, a log directory or one file) and say what is left out.

    Times count from the profile's first event.
    """
    is_piped = str(output) in _STANDARD_OUTPUT
    shown_output = "standard output" if is_piped else str(output)
    try:
        timeline = open_timeline(path)
        record = timeline.record()
        for each in of_severity(record.findings, "empty"):
            click.echo(f"scopelight: {worded(each, 'terminal').text}", err=True)
            sys.exit(UNREADABLE)
        check_span(start_ps, end_ps, timeline.slices.duration_ps)
        with click.progressbar(length=1000, label="Writing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

            def report(ratio: float) -> None:
                bar.update(round(ratio * 1000) - bar.pos)

            exported: Exported | ExportedTimeline
            if is_piped:
                with _standard_output() as file:
                    exported = export_timeline(
                        timeline, file, in_terminal, start_ps=start_ps, end_ps=end_ps, report=report
                    )
            else:
                exported = write_timeline(timeline, output, start_ps=start_ps, end_ps=end_ps, report=report)
    except FormatError as error:
        exit_unreadable(error)
    except OptionError as error:
        raise click.BadParameter(
            str(error), param_hint={"start_ps": "'--from'", "end_ps": "'--to'"}[error.option]
        ) from error
    except ProfileItselfError as error:
        click.echo(f"scopelight: {error}", err=True)
        sys.exit(UNREADABLE)
    except BrokenPipeError:
        # Who reads has enough, as `head` does: click ends without a word.
        raise
    except OSError as error:
        click.echo(f"scopelight: {shown_output} cannot be written ({error.strerror or error}).", err=True)
        sys.exit(UNREADABLE)
    events = "event" if exported.events == 1 else "events"
    click.echo(f"{exported.events:,} {events} in {shown_output}", err=is_piped)
    for each in exported.findings:
        click.echo(f"left out: {in_terminal(each)}", err=is_piped)
    for warning in closing(record.findings, "warning"):
        click.echo(warning, err=is_piped)


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Standard output in the encoding of JSON, whatever the terminal's is."""
    file = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", errors="replace", newline="\n")
    try:
        yield file
    finally:
        # Flushes, and leaves standard output open.
        file.detach()
