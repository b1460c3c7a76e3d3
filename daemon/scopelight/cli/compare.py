"""``scopelight compare``: what changed between two runs, or between rounds of two."""

from pathlib import Path
from typing import get_args

import click

from scopelight.analysis.compare.records import ComparedBy
from scopelight.cli.printing.json_output import print_json
from scopelight.cli.printing.output import console
from scopelight.cli.unreadable import exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.model.run.experiment import complete_rounds
from scopelight.model.run.sides import UnknownSideError, is_experiment, rounds_in, runs_of_side

MOST_ROWS = 20

Sides = tuple[tuple[Path, ...], tuple[Path, ...]]


def print_comparison(sides: Sides, by: ComparedBy = "line", *, as_json: bool = False, limit: int = MOST_ROWS) -> None:
    """Print the comparison of two sides to standard output. Raises `FormatError` where a run cannot be read."""
    from scopelight.report.compare.terminal import render_comparison  # noqa: PLC0415 (they load while nobody waits)
    from scopelight.views.comparing import compare_paths  # noqa: PLC0415

    record = compare_paths(*sides, by, Path.cwd())
    if as_json:
        print_json(record)
    else:
        render_comparison(record, console(), base=Path.cwd(), limit=limit)


@click.command
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="[AFTER]", required=False)
@click.option(
    "--by", type=click.Choice(get_args(ComparedBy)), default="line", show_default=True, help="What the rows are."
)
@click.option("--json", "as_json", is_flag=True, help="Print the record as JSON.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=MOST_ROWS,
    show_default=True,
    help="Rows to print; of JSON it cuts nothing.",
)
def compare(before: str, after: str | None, by: ComparedBy, as_json: bool, limit: int) -> None:
    """What changed: two runs line by line, with what of it can be told from noise.

    BEFORE and AFTER are runs, folders of runs that were made in turn, or revisions of git, of which the newest run
    counts. The one folder that `scopelight run --against` has written names both. Without AFTER, the newest other
    run here is meant.

    Before + change = after in every row. FLOPs, bytes, compilations and planned memory are exact, and one run of each
    tells every change. Times are not: with one run each those of a CPU cannot be told from noise.
    """
    try:
        print_comparison(_sides(before, after), by, as_json=as_json, limit=limit)
    except UnknownSideError as error:
        raise click.UsageError(_unknown(error)) from error
    except FormatError as error:
        exit_unreadable(error)


def _sides(before: str, after: str | None) -> Sides:
    here = Path.cwd()
    if after is not None:
        return runs_of_side(before, here), runs_of_side(after, here)
    if is_experiment(here / before):
        # A round that failed on one side is no round of the other either.
        sides = complete_rounds(here / before)
        if all(sides):
            return sides
        raise UnknownSideError(before)
    first = runs_of_side(before, here)
    if len(first) > 1:
        raise click.UsageError(
            f"{before} holds {len(first)} runs: name two of them, or another folder of runs as well."
        )
    others = [run for run in rounds_in(here) if run.resolve() not in {each.resolve() for each in first}]
    if not others:
        raise UnknownSideError(".")
    return first, (others[-1],)


def _unknown(error: UnknownSideError) -> str:
    if error.revision is not None:
        return (
            f"No run here was made of {error.given} ({error.revision[:8]}), with nothing changed since:"
            f" scopelight run --against {error.given} SCRIPT makes rounds of it."
        )
    if not error.given:
        return "A run is empty. The current folder is '.'."
    if error.given == ".":
        return "There is no other run here to compare with: name it after the first."
    return f"{error.given} is no run, no folder of runs and no revision: scopelight runs lists those that are here."
