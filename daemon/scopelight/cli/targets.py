"""``scopelight show targets``; predicted runs printed: one by its lines, several of one script side by side."""

import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from scopelight.cli.parameters.arguments import PathArgument
from scopelight.cli.printing.json_output import print_json
from scopelight.cli.printing.output import console

MOST_LINES = 30
MOST_OF_MEMORY = 5
MOST_OPS = 10
_NOT_VALID = ("refused", "unjudged")
_OF_PART = ("prediction-cut-short", "prediction-unfinished", "prediction-ended", "prediction-decided-by-zeros")
"""Why a prediction is not of all that the script would do."""


def print_targets(named: Sequence[tuple[str, Path]], *, as_json: bool = False, limit: int = MOST_LINES) -> None:
    """Print the comparison of runs, each by the name that tells it from the others, to standard output."""
    from scopelight.report.targets.terminal import render_targets  # noqa: PLC0415 (they load while nobody waits)
    from scopelight.views.targets import compared_targets  # noqa: PLC0415

    record = compared_targets(named, Path.cwd())
    if as_json:
        print_json(record)
    else:
        render_targets(record, console(), base=Path.cwd(), limit=limit)


@click.command
@click.argument("paths", metavar="RUN...", type=PathArgument(), nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=MOST_LINES,
    show_default=True,
    help="Rows to print; of JSON it cuts nothing.",
)
def targets(paths: tuple[Path, ...], as_json: bool, limit: int) -> None:
    """Predicted runs of one script side by side: whether they fit, and the time and memory of each line.

    Each RUN is a directory that `scopelight preflight` wrote. A run that was measured on a TPU may stand beside them:
    its times have no ≈. No other is set beside a prediction.
    """
    from scopelight.views.targets import named_runs  # noqa: PLC0415 (as above)

    _, named = named_runs(paths)
    print_targets(named, as_json=as_json, limit=limit)


def print_prediction(run: Path) -> None:
    """Print whether the programs of a run fit, which ops its TPU refuses, and its lines."""
    from scopelight.cli.printing.answer import print_answer  # noqa: PLC0415
    from scopelight.report.compatibility import not_native  # noqa: PLC0415
    from scopelight.report.findings.prediction.fit import VERDICTS  # noqa: PLC0415
    from scopelight.report.findings.worded import in_terminal, naming  # noqa: PLC0415
    from scopelight.report.prediction.around import said_once, say_first  # noqa: PLC0415
    from scopelight.views.opening import open_subject  # noqa: PLC0415
    from scopelight.views.table import VIEWS  # noqa: PLC0415

    with naming(run), said_once():
        subject = open_subject(run, Path.cwd())
        capture = subject.profile.capture
        if capture is not None:
            say_first((each for each in capture.findings if each.code in _OF_PART), console())
        fit = VIEWS["fit"].ask(subject, VIEWS["fit"].options())
        if any(each.fits is False for each in fit.programs):
            print_answer(VIEWS["fit"], subject, limit=MOST_OF_MEMORY)
            console().print()
        else:
            for each in fit.findings:
                if each.code in VERDICTS:
                    console().print(in_terminal(each), markup=False, highlight=False, soft_wrap=True)
        ops = VIEWS["compatibility"].ask(subject, VIEWS["compatibility"].options())
        if any(each.verdict in _NOT_VALID for each in ops.ops):
            print_answer(VIEWS["compatibility"], subject, limit=MOST_OPS)
            console().print()
        elif (others := not_native(ops)) is not None:
            said = f"{others} `scopelight show compatibility {shlex.quote(str(run))}` names their lines."
            console().print(said, markup=False, highlight=False, soft_wrap=True)
        print_answer(VIEWS["lines"], subject)
