"""``scopelight report``: a run as one file that anyone opens, or as text for an issue."""

import sys
from pathlib import Path

import click

from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.parameters.places import ProfileArgument
from scopelight.cli.printing.written_file import ending_well, is_piped
from scopelight.report.language import text
from scopelight.report.numbers import byte_size


@click.command()
@click.argument("path", type=ProfileArgument())
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
        is_text = output is None or is_piped(output) or output.suffix.lower() in (".md", ".markdown")
        kind = "markdown" if is_text else "html"
    if output is None and kind == "html":
        raise click.UsageError("A report in HTML needs a file: --out FILE.html.")
    from scopelight.protocol.reports import WriteReport  # noqa: PLC0415 (with what reads profiles)
    from scopelight.server.sharing.alone import report_alone  # noqa: PLC0415
    from scopelight.server.sharing.document import PagesMissingError  # noqa: PLC0415
    from scopelight.server.sharing.report import write  # noqa: PLC0415

    output = output or Path("-")
    with ending_well(output, PagesMissingError):
        params = WriteReport(str(path.resolve()), None, "markdown" if kind == "markdown" else "html", with_source)
        contents = report_alone(params, (Path.cwd(),))
        if is_piped(output):
            sys.stdout.buffer.write(contents)
            sys.stdout.buffer.flush()
            return
        write(output, contents, path)
    click.echo(f"{byte_size(len(contents))} in {output}")
    if kind == "html":
        click.echo(text("It holds the command line of the run, and its settings, as they were given."))
