"""``scopelight sql``: a query over the tables of runs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs
import click

from scopelight.cli.groups import importing
from scopelight.cli.parameters.places import ProfileArgument
from scopelight.cli.printing.json_output import print_json
from scopelight.cli.printing.output import console
from scopelight.cli.unreadable import UNREADABLE, exit_unreadable
from scopelight.formats.errors import FormatError
from scopelight.sql.limits import SECONDS_OF_PEOPLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from scopelight.sql.answer import QueryAnswer

DEFAULT_LIMIT = 1000
_SCHEMA: Final = ".schema"
_STANDARD_INPUT: Final = "-"


@attrs.frozen
class _Printed:
    """An answer as ``--json`` prints it: rows are objects."""

    columns: tuple[Any, ...]
    rows: tuple[Mapping[str, Any], ...]
    is_cut: bool
    left_out: int | None
    format_version: int


@click.command
@click.argument("arguments", metavar="RUN... QUERY", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the answer as CSV, with values as they are.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Rows of the answer, 0 for all of them; what is left out is counted.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1),
    default=SECONDS_OF_PEOPLE,
    show_default=True,
    metavar="SECONDS",
    help="How long the query may last.",
)
def sql(arguments: tuple[str, ...], as_json: bool, as_csv: bool, limit: int, timeout: float) -> None:
    """Ask a run, or several, in SQL.

    QUERY is one statement that reads, as DuckDB has it, or - for one on standard input. Of several runs each row says
    in the column `run` which it is of, from 1. `.schema` in place of the query lists the tables with a sentence a
    column, `.schema TABLE` one of them. Times are in picoseconds, in the views TABLE_ms in milliseconds. A query reads
    nothing but these tables: no files, no network.

    \b
    scopelight sql RUN .schema
    scopelight sql RUN "select path, line, self_ms from lines_ms order by self_ms desc limit 10"
    scopelight sql OLD NEW "select run, sum(self_ps) from executions group by run"
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms of an answer: give one of them.")
    asked = next((place for place, each in enumerate(arguments) if _words_of_schema(each) is not None), -1)
    *named, query = (*arguments[:asked], " ".join(arguments[asked:]))
    if not named and asked < 0:
        raise click.UsageError("Give a run, then the query: scopelight sql RUN 'select ...', or RUN .schema")
    context = click.get_current_context()
    runs = [ProfileArgument().convert(each, None, context) for each in named]
    if query == _STANDARD_INPUT:
        query = sys.stdin.read()
    tables = _words_of_schema(query)
    if tables is not None:
        _print_schema(runs, tables, as_json=as_json)
    else:
        _print_answer(_answer(runs, query, limit, timeout), "json" if as_json else "csv" if as_csv else None)


def _words_of_schema(query: str) -> Sequence[str] | None:
    """The tables that ``.schema TABLE`` names, of any number; None where it is a query."""
    command, *tables = query.strip().rstrip(";").split() or [""]
    return [each.lower() for each in tables] if command == _SCHEMA else None


def _answer(runs: list[Path], query: str, limit: int, timeout: float) -> QueryAnswer:
    with importing():
        from scopelight.sql.errors import QueryError  # noqa: PLC0415 (what reads runs takes half a second to import)
        from scopelight.sql.limits import Limits  # noqa: PLC0415
        from scopelight.sql.query import ask  # noqa: PLC0415
        from scopelight.views.opening import open_subject  # noqa: PLC0415
    subjects = [open_subject(run, Path.cwd()) for run in runs]
    try:
        return ask(subjects, query, Limits(seconds=timeout, rows=limit or None))
    except FormatError as error:
        exit_unreadable(error)
    except QueryError as error:
        click.echo(f"scopelight: {error}", err=True)
        sys.exit(UNREADABLE)


def _print_answer(answer: QueryAnswer, form: str | None) -> None:
    from scopelight.sql.terminal import render_answer, rows_sentence, write_csv  # noqa: PLC0415

    if form == "json":
        rows = tuple(answer.by_name())
        print_json(_Printed(answer.columns, rows, answer.is_cut, answer.left_out, answer.format_version))
    elif form == "csv":
        write_csv(answer, sys.stdout)
        if answer.is_cut:
            click.echo(rows_sentence(answer), err=True)
    else:
        render_answer(answer, console())


def _print_schema(runs: Sequence[Path], names: Sequence[str], *, as_json: bool) -> None:
    from scopelight.model.opening.paths import check_path  # noqa: PLC0415
    from scopelight.sql.described import QuerySchema, schema_tables  # noqa: PLC0415
    from scopelight.sql.errors import QueryError  # noqa: PLC0415
    from scopelight.sql.examples import query_examples  # noqa: PLC0415
    from scopelight.sql.terminal import render_schema  # noqa: PLC0415

    try:
        # It is the same of every run, so that none is read for it.
        for each in runs:
            check_path(each)
        tables = schema_tables(names)
    except FormatError as error:
        exit_unreadable(error)
    except QueryError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        print_json(QuerySchema(tables, query_examples()))
    else:
        render_schema(tables, console())
