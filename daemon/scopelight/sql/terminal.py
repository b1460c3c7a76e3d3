"""Answers and the schema in the terminal, and answers as CSV."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TextIO

from rich.console import Console

from scopelight.report.foreign_text import printable
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, count, duration, flops, share
from scopelight.report.tables.text_table import Column, print_rows, say
from scopelight.sql.answer import AnswerColumn, AnswerValue, QueryAnswer, Unit
from scopelight.sql.described import SchemaTable
from scopelight.sql.schema import PS_PER_MS

_WIDEST_TEXT: Final = 60
_NUMBERS: Final[Mapping[Unit, Callable[[float], str]]] = {
    "ps": duration,
    "ms": lambda time_ms: duration(time_ms * PS_PER_MS),
    "bytes": byte_size,
    "flops": flops,
    "ratio": share,
    "per_s": lambda rate: f"{count(rate)}/s",
}


def render_answer(answer: QueryAnswer, console: Console) -> None:
    """Print the rows as a table, and how many were left out."""
    columns: list[Column[tuple[AnswerValue, ...]]] = [
        Column(
            printable(each.name),
            _cell(place, each),
            right=each.kind in ("integer", "number"),
            most=_WIDEST_TEXT if each.kind == "text" else None,
            is_place=each.name in ("path", "file"),
        )
        for place, each in enumerate(answer.columns)
    ]
    if answer.rows:
        print_rows(console, columns, answer.rows)
    say(console, [sentence for sentence in (rows_sentence(answer),) if sentence])


def rows_sentence(answer: QueryAnswer) -> str:
    """How many rows there are, where that is not seen: none, or more than are shown."""
    if not answer.rows:
        return text("The query has no rows.")
    shown = len(answer.rows)
    if not answer.is_cut:
        return ""
    if answer.left_out is None:
        return text("The first {shown} rows; how many more there are was not counted in time.", shown=count(shown))
    return text(
        "{shown} of {all} rows; {left_out} were left out.",
        shown=count(shown),
        all=count(shown + answer.left_out),
        left_out=count(answer.left_out),
    )


def value_text(value: AnswerValue, column: AnswerColumn) -> str:
    """A value as people read it, with its unit."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return text("yes") if value else text("no")
    if isinstance(value, str):
        # What is empty is not what is not known, and a column of either is shown.
        return printable(value) or "''"
    if column.unit is not None:
        return _NUMBERS[column.unit](value)
    return count(value) if isinstance(value, int) else f"{value:.6g}"


def write_csv(answer: QueryAnswer, stream: TextIO) -> None:
    """Write the names and the rows as RFC 4180 has it, with values as they are."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([each.name for each in answer.columns])
    writer.writerows(answer.rows)


def render_schema(tables: Iterable[SchemaTable], console: Console) -> None:
    """Print the tables, and their columns with a sentence each."""
    for table in tables:
        also = text(" ({name} has its times in milliseconds.)", name=table.for_people) if table.for_people else ""
        say(console, [f"{table.name}: {table.sentence}{also}"])
        columns: Sequence[Column[Any]] = [
            Column("  ", lambda row: f"  {row.name}"),
            Column("", lambda row: row.kind),
            Column("", lambda row: row.sentence),
        ]
        print_rows(console, columns, table.columns)
        console.print()


def _cell(place: int, column: AnswerColumn) -> Callable[[tuple[AnswerValue, ...]], str]:
    return lambda row: value_text(row[place], column)
