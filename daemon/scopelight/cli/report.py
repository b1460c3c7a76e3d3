"""``scopelight report``: a run as one file that anyone opens, or as text for an issue."""

import sys
from pathlib import Path

import click

from scopelight.cli.arguments import PathArgument
from scopelight.cli.unreadable import UNREADABLE, exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.report.numbers import byte_size
from scopelight.report.output_file import ProfileItselfError


@click.command()
@click.argument("path", type=PathArgument())
@click.option(
    "--out",
    "output",
    type=PathArgument(dir_okay=False, allow_dash=True),
    help="The file; - is standard output, where Markdown goes by itself.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["html", "markdown"]),
    help=(
        "html: the panels in one file, for any browser, without Scopelight and without a network. markdown: where the"
        " steps went and what to do next, for an issue or a message. By itself the ending of the file decides."
    ),
)
@click.option(
    "--source/--no-source",
    "with_source",
    default=True,
    show_default=True,
    help="html: hold the recorded source of the lines. Names of files, ops and functions are held in any case.",
)
def report(path: Path, output: Path | None, kind: str | None, with_source: bool) -> None:
    """Write a report of PATH (a run, a log directory or one file) to send to somebody."""
    if kind is None:
        kind = "markdown" if output is None or output.suffix.lower() in (".md", ".markdown") else "html"
    if output is None and kind == "html":
        raise click.UsageError("A report in HTML needs a file: --out FILE.html.")
    from scopelight.protocol.reports import WriteReport  # noqa: PLC0415 (with what reads profiles)
    from scopelight.server.sharing.alone import report_alone  # noqa: PLC0415
    from scopelight.server.sharing.document import PagesMissingError  # noqa: PLC0415
    from scopelight.server.sharing.report import write  # noqa: PLC0415

    try:
        params = WriteReport(str(path.resolve()), None, "markdown" if kind == "markdown" else "html", with_source)
        contents = report_alone(params, (Path.cwd(),))
        if output is None or str(output) == "-":
            sys.stdout.buffer.write(contents)
            sys.stdout.buffer.flush()
            return
        write(output, contents, path)
    except FormatError as error:
        exit_unreadable(error)
    except (PagesMissingError, ProfileItselfError) as error:
        click.echo(f"scopelight: {error}", err=True)
        sys.exit(UNREADABLE)
    except BrokenPipeError:
        # Who reads has enough, as `head` does: click ends without a word.
        raise
    except OSError as error:
        click.echo(f"scopelight: {output} cannot be written ({error.strerror or error}).", err=True)
        sys.exit(UNREADABLE)
    click.echo(f"{byte_size(len(contents))} in {output}")
