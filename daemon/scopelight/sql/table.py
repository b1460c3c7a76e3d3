"""The answer to a query as a table of Python."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import attrs

from scopelight.analysis.column_types import Columns
from scopelight.analysis.tabular import Table
from scopelight.sql.answer import AnswerKind, QueryAnswer

_KINDS: Final[Mapping[AnswerKind, Any]] = {"integer": int, "number": float, "boolean": bool, "text": str}


@attrs.frozen(eq=False, repr=False)
class QueryTable(Table):
    """What a query found, as columns by their names.

    Values are numbers, texts and booleans, None where they are NULL; what is none of these in SQL, such as a list or a
    date, is a text. ``left_out`` more rows there are than were asked for: None where that was not counted in time.
    """

    columns: Mapping[str, list[Any]]
    left_out: int | None
    _kinds: Mapping[str, Any]

    def __len__(self) -> int:
        return next((len(each) for each in self.columns.values()), 0)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, each by the names of the columns."""
        return (dict(zip(self.columns, row, strict=True)) for row in zip(*self.columns.values(), strict=True))

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column. Raises `KeyError` where there is none of the name."""
        if name not in self.columns:
            raise KeyError(f"{name!r} is no column; there are {', '.join(self.columns)}.")
        return self.columns[name]

    def __repr__(self) -> str:
        return f"<{len(self)} rows: {', '.join(self.columns)}>"

    def table_columns(self) -> Columns:
        """The columns with the types of their values."""
        return {name: (values, self._kinds[name]) for name, values in self.columns.items()}


def query_table(answer: QueryAnswer) -> QueryTable:
    """The answer, column by column."""
    return QueryTable(
        {each.name: [row[place] for row in answer.rows] for place, each in enumerate(answer.columns)},
        answer.left_out,
        {each.name: _KINDS[each.kind] for each in answer.columns},
    )
