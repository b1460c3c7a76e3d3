"""``scopelight export``: a run's timeline, or its flame graph, as a file for other viewers."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

import click
from click.core import ParameterSource

from scopelight.analysis.options import OptionError
from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.parameters.places import ProfileArgument
from scopelight.cli.parameters.times import TIME
from scopelight.cli.parameters.view_options import bad_option, option_params
from scopelight.cli.printing.written_file import ending_well, is_piped, shown_output
from scopelight.cli.unreadable import UNREADABLE
from scopelight.findings import Finding
from scopelight.formats.errors import FormatError
from scopelight.model.run.names import RECORDING_SUFFIX
from scopelight.report.findings.worded import closing, in_terminal, naming, of_severity
from scopelight.report.flame.exported import STACK_FORMATS, StackFormat, exported
from scopelight.report.output_file import as_text, compressed, output_file
from scopelight.views.table import VIEWS

if TYPE_CHECKING:
    from scopelight.analysis.timeline.timeline import Timeline

_FLAME: Final = VIEWS["flame"]


@click.command()
@click.argument("path", type=ProfileArgument())
@click.option(
    "--format",
    "kind",
    type=click.Choice(["chrome", *STACK_FORMATS]),
    default="chrome",
    show_default=True,
    help=(
        "chrome: the timeline, as JSON for Perfetto (ui.perfetto.dev) and chrome://tracing. The others hold the flame"
        " graph: speedscope (speedscope.app), pprof (compressed), collapsed (a line per stack), firefox"
        " (profiler.firefox.com)."
    ),
)
@click.option("--from", "start_ps", type=TIME, help="chrome: leave out what ends before this time, such as 12.5ms.")
@click.option("--to", "end_ps", type=TIME, help="chrome: leave out what begins at this time or later.")
@click.option(
    "--out",
    "output",
    type=PathArgument(dir_okay=False, allow_dash=True),
    required=True,
    help="The file; - is standard output. One that ends in .gz is compressed.",
)
@click.pass_context
def export(
    context: click.Context,
    /,
    path: Path,
    kind: str,
    start_ps: int | None,
    end_ps: int | None,
    output: Path,
    **flame_options: Any,  # noqa: ANN401 (the view's)
) -> None:
    """Write the timeline or the flame graph of PATH (a run, a log directory or one file) for other viewers.

    Times count from the profile's first event. What a timeline's file has no room for is said.
    """
    _refuse(context, ("start_ps", "end_ps") if kind in STACK_FORMATS else tuple(flame_options), kind)
    with ending_well(output):
        if kind in STACK_FORMATS:
            _export_stacks(path, kind, output, flame_options)
        else:
            _export_timeline(path, start_ps, end_ps, output)


export.params.extend(option_params(_FLAME))


def _refuse(context: click.Context, fields: tuple[str, ...], kind: str) -> None:
    """End where an option was given that this format does not have."""
    for param in context.command.params:
        if param.name in fields and context.get_parameter_source(param.name) is not ParameterSource.DEFAULT:
            raise click.BadParameter(f"The format {kind} has no such option.", context, param)


def _export_stacks(path: Path, kind: StackFormat, output: Path, options: dict[str, Any]) -> None:
    from scopelight.analysis.flame.flame import flame  # noqa: PLC0415 (with what reads profiles)
    from scopelight.model.opening.paths import find_profile_files  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415

    subject = open_subject(path, Path.cwd())
    try:
        record = flame(subject, _FLAME.options(**options))
    except OptionError as error:
        raise bad_option(_FLAME, error) from error
    if not record.total:
        for finding in of_severity(record.findings, "empty"):
            click.echo(f"scopelight: {in_terminal(finding)}", err=True)
        sys.exit(UNREADABLE)
    pieces = exported(record, kind, name=path.resolve().name, started_ns=subject.profile.started_ns)
    with _file_of(output, find_profile_files(path), is_compressed=kind == "pprof") as file:
        for piece in pieces:
            file.write(piece)
    stacks = sum(1 for row in record.rows if row.self_value)
    _tell(stacks, "stack", output, _said(record.findings))


def _export_timeline(path: Path, start_ps: int | None, end_ps: int | None, output: Path) -> None:
    from scopelight.analysis.timeline.export import export_timeline  # noqa: PLC0415 (with what reads traces)
    from scopelight.analysis.timeline.timeline import open_timeline  # noqa: PLC0415
    from scopelight.views.timeline import check_span  # noqa: PLC0415

    timeline = _with_lines(open_timeline(path), path)
    record = timeline.record()
    for each in of_severity(record.findings, "empty"):
        with naming(path):
            click.echo(f"scopelight: {in_terminal(each)}", err=True)
        sys.exit(UNREADABLE)
    try:
        check_span(start_ps, end_ps, timeline.slices.duration_ps)
    except OptionError as error:
        hint = {"start_ps": "'--from'", "end_ps": "'--to'"}[error.option]
        raise click.BadParameter(str(error), param_hint=hint) from error
    with click.progressbar(length=1000, label="Writing", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def report(ratio: float) -> None:
            bar.update(round(ratio * 1000) - bar.pos)

        with _file_of(output, timeline.slices.files) as binary, as_text(binary) as file:
            written = export_timeline(timeline, file, in_terminal, start_ps=start_ps, end_ps=end_ps, report=report)
    left_out = (f"left out: {in_terminal(finding)}" for finding in written.findings)
    _tell(written.events, "event", output, [*left_out, *_said(record.findings)])


def _said(findings: Iterable[Finding]) -> Iterator[str]:
    """What whoever reads the file has to know: warnings, and what the capture left out."""
    from scopelight.model.run.left_out import is_left_out  # noqa: PLC0415 (with what reads traces)

    return closing(each for each in findings if each.severity == "warning" or is_left_out(each))


def _with_lines(timeline: "Timeline", path: Path) -> "Timeline":
    """The timeline with the lines on which the script's threads stood, where these were recorded beside a trace.

    Only then is the whole profile read, which takes longer than copying its events.
    """
    if not any(file.with_name(file.name + RECORDING_SUFFIX).is_file() for file in timeline.slices.files):
        return timeline
    from scopelight.analysis.timeline.timeline import incomplete  # noqa: PLC0415 (with what reads profiles)
    from scopelight.analysis.timeline.tracks.derived import derive  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415

    subject = open_subject(path, Path.cwd())
    try:
        return timeline.completed(subject.profile, derive(timeline.slices, subject.profile, subject.line_options))
    except FormatError as error:
        return timeline.without_profile(incomplete(error))


def _tell(number: int, what: str, output: Path, sentences: Iterable[str]) -> None:
    """Say how much was written, and what is to be known of it."""
    written = f"{number:,} {what}{'' if number == 1 else 's'} in {shown_output(output)}"
    for sentence in (written, *sentences):
        click.echo(sentence, err=is_piped(output))


@contextmanager
def _file_of(output: Path, profile_files: Sequence[Path], *, is_compressed: bool = False) -> Iterator[BinaryIO]:
    """The file to write to; standard output, which stays open, where that is meant.

    What is written to a name that ends in ``.gz`` is compressed, once.
    """
    if is_piped(output):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with output_file(output, profile_files) as file:
        if output.name.endswith(".gz") and not is_compressed:
            with compressed(file) as packed:
                yield packed
        else:
            yield file
