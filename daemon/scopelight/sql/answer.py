"""The answer to a query: columns with their kinds and units, and rows of plain values."""

import datetime
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, Literal

import attrs

from scopelight.analysis.records import FORMAT_VERSION
from scopelight.sql.engine import Found

AnswerKind = Literal["integer", "number", "boolean", "text"]
AnswerValue = str | int | float | bool | None
Unit = Literal["ps", "ms", "bytes", "flops", "ratio", "per_s"]

_NAMED: Final = re.compile(r"((?:\w+\()*)[\w.\"]*?(?:^|[_.(\"])(ps|ms|bytes|flops|ratio|per_s)[\")]*(?:_\d+)?")
_KEEPING: Final = frozenset(
    ("sum", "avg", "mean", "median", "min", "max", "mode", "first", "last", "any_value", "abs", "round", "stddev")
)
"""Functions whose values have the unit of what they are given."""
_WHOLE: Final = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")
)
_FRACTIONS: Final = frozenset(("FLOAT", "DOUBLE"))


@attrs.frozen(slots=True)
class AnswerColumn:
    """A column: ``unit`` is what its name ends in, None where it says none."""

    name: str
    kind: AnswerKind
    unit: Unit | None


@attrs.frozen(slots=True)
class QueryAnswer:
    """The first rows that a query found. ``left_out`` more there are, None where these were not counted (``is_cut``).

    Values are numbers, texts and booleans; what is none of these in SQL, such as a list or a date, is a text.
    """

    columns: tuple[AnswerColumn, ...]
    rows: tuple[tuple[AnswerValue, ...], ...]
    is_cut: bool = False
    left_out: int | None = 0
    took_ms: float = 0.0
    format_version: int = FORMAT_VERSION

    def by_name(self) -> Iterable[Mapping[str, AnswerValue]]:
        """The rows as objects."""
        names = [each.name for each in self.columns]
        return (dict(zip(names, row, strict=True)) for row in self.rows)


def answer_of(found: Found, took_ms: float = 0.0) -> QueryAnswer:
    """What was found, with plain values. Columns of one name are told apart by numbers."""
    names = _told_apart(found.names)
    kinds = [_kind(each) for each in found.types]
    columns = tuple(AnswerColumn(name, kind, unit_of(name)) for name, kind in zip(names, kinds, strict=True))
    rows = tuple(tuple(map(_plain, row)) for row in found.rows)
    return QueryAnswer(columns, rows, found.is_cut, found.left_out, took_ms)


def unit_of(name: str) -> Unit | None:
    """The unit that a column's name ends in, also inside of a function that keeps it: ``sum(self_ps)``."""
    found = _NAMED.fullmatch(name.lower())
    if found is None or not _KEEPING.issuperset(found[1].split("(")[:-1]):
        return None
    unit: Unit = found[2]  # type: ignore[assignment]
    return unit


def _told_apart(names: Sequence[str]) -> Sequence[str]:
    taken: dict[str, None] = {}
    for name in names:
        free, number = name, 1
        while free in taken:
            number += 1
            free = f"{name}_{number}"
        taken[free] = None
    return list(taken)


def _kind(type_name: str) -> AnswerKind:
    if type_name in _WHOLE:
        return "integer"
    if type_name in _FRACTIONS or type_name.startswith("DECIMAL"):
        return "number"
    return "boolean" if type_name == "BOOLEAN" else "text"


def _plain(value: Any) -> AnswerValue:  # noqa: ANN401, PLR0911 (what DuckDB has; one for each kind)
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 (NaN)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, default=str, ensure_ascii=False)
    return str(value)
