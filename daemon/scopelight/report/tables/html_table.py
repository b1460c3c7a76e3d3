"""The first rows of a table as HTML, for notebooks: no colours and no script of its own, text escaped."""

from collections.abc import Iterator, Sequence
from html import escape
from math import isfinite
from typing import Any, Final

import numpy as np

from scopelight.analysis.column_types import Columns, dtype_of
from scopelight.analysis.tabular import Table
from scopelight.report.findings.words import as_said
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.language import text
from scopelight.report.numbers import count

MOST_ROWS: Final = 10
MOST_NUMBERS: Final = 8
MOST_TEXTS: Final = 4
"""Columns that are shown of each kind."""
_FIRST_TEXTS: Final = ("label", "path", "function", "name", "op", "primitive", "phase", "device", "program", "kind")
"""Texts that say what a row is of."""
_LONGEST: Final = 80
_PLAIN: Final = frozenset(("Int64", "float64", "boolean", "string"))
_NUMBERS: Final = frozenset(("Int64", "float64"))
_UNITS: Final = ("_ps", "_bytes", "_flops", "_ratio", "_per_s", "_hz", "_s")
_FOR_JOINING: Final = frozenset(("key", "file", "program_id", "op_key", "line_key", "program_key"))
"""Columns that name things for other tables, and are not to be read."""


def html_table(table: Table, all_rows: int | None = None) -> str:
    """Its first rows and columns; below them what is left out, ``all_rows`` being how many there are if not its own."""
    columns = table.table_columns()
    shown = _chosen(columns, table.FIRST_COLUMNS)
    length = next((len(values) for values, _ in columns.values()), 0)
    head = "".join(f"<th{_aligned(dtype_of(kind))}>{escape(printable(name))}</th>" for name, (_, kind) in shown.items())
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td{_aligned(dtype_of(kind))}>{escape(_written(name, values[row]))}</td>"
            for name, (values, kind) in shown.items()
        )
        + "</tr>"
        for row in range(min(MOST_ROWS, length))
    )
    said = " ".join(_left_out(length, length if all_rows is None else all_rows, len(columns) - len(shown)))
    return (
        f"<table><caption>{escape(type(table).__name__)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{f'<p>{escape(said)}</p>' if said else ''}"
    )


def _chosen(columns: Columns, first: Sequence[str]) -> Columns:
    """A few columns, those named ``first`` and then in the order that they have: of many texts those that say what a
    row is of."""
    readable = list(_worth_reading(columns))
    readable = [*(name for name in first if name in readable), *(name for name in readable if name not in first)]
    texts = [name for name in readable if dtype_of(columns[name][1]) not in _NUMBERS]
    numbers = [name for name in readable if name not in texts]
    places = {name: place for place, name in enumerate((*first, *_FIRST_TEXTS))}
    texts.sort(key=lambda name: places.get(name, len(places) + len(first)))
    kept = {*first, *texts[:MOST_TEXTS], *numbers[:MOST_NUMBERS]}
    return {name: columns[name] for name in readable if name in kept}


def _worth_reading(columns: Columns) -> Iterator[str]:
    """Columns with values in them that are numbers, booleans and texts for people."""
    for name, (values, kind) in columns.items():
        is_empty = len(values) and not isinstance(values, np.ndarray) and all(each in (None, "") for each in values)
        if dtype_of(kind) in _PLAIN and name not in _FOR_JOINING and not is_empty:
            yield name


def _aligned(dtype: str) -> str:
    return f' style="text-align: {"right" if dtype in _NUMBERS else "left"}; white-space: nowrap"'


def _written(name: str, value: Any) -> str:  # noqa: ANN401 (of any column)
    if value is None or value is np.ma.masked:
        return ""
    if isinstance(value, bool | np.bool_):
        return text("yes") if value else text("no")
    number = value.item() if isinstance(value, np.generic) else value
    if not isinstance(number, int | float):
        return shortened(printable(str(number)), _LONGEST)
    if not isfinite(number):
        return ""
    return (
        as_said(name, number)
        if name.endswith(_UNITS)
        else f"{number:.4g}"
        if isinstance(number, float)
        else str(number)
    )


def _left_out(length: int, all_rows: int, columns: int) -> Sequence[str]:
    said = []
    if not length:
        said.append(text("There are no rows."))
    if all_rows > MOST_ROWS:
        said.append(text("{shown} of {all} rows.", shown=count(min(MOST_ROWS, length)), all=count(all_rows)))
    if columns:
        said.append(text("{columns} more columns: .to_pandas() has all.", columns=count(columns)))
    return said
