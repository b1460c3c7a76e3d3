"""The nouns of the schema: tables and columns, each with the sentence that is to be known of it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

Kind = Literal["INTEGER", "BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN"]
"""What DuckDB calls the type of a column."""
Columns = Mapping[str, Any]
"""Arrays of equal length by the names of their columns; masked where a number is not known."""

RUN: Final = "run"
"""The column that every table has first: which of the opened runs a row is of, from 1."""
PICOSECONDS: Final = "_ps"
MILLISECONDS: Final = "_ms"
PS_PER_MS: Final = 1_000_000_000


def in_milliseconds(name: str) -> str:
    """What a column of times in picoseconds is called where they are milliseconds."""
    return f"{name.removesuffix(PICOSECONDS)}{MILLISECONDS}"


@attrs.frozen
class Column:
    """A column: its name, which ends in its unit, the type of its values, and a sentence on what it says.

    ``zero_is_unknown``: it is kept without a mask, for the table is long, and 0 stands for what is not known.
    """

    name: str
    kind: Kind
    sentence: str
    zero_is_unknown: bool = False


@attrs.frozen
class Table:
    """A table: ``made_by`` names the function from a `Subject` to its `Columns` (``module:function``)."""

    name: str
    sentence: str
    columns: tuple[Column, ...]
    made_by: str

    @property
    def for_people(self) -> str:
        """The view of the table that has its times in milliseconds."""
        return f"{self.name}{MILLISECONDS}"

    @property
    def has_times(self) -> bool:
        """Whether it has any, and with them such a view."""
        return any(each.name.endswith(PICOSECONDS) for each in self.columns)

    def make(self, subject: "Subject") -> Columns:
        """Its columns of a run: made once, and kept with it. Raises `FormatError` where the run cannot be read."""
        from scopelight.views.table import function_of  # noqa: PLC0415 (the schema alone needs nothing of it)

        return subject.once(f"sql {self.name}", (), lambda: function_of(self.made_by)(subject))


RUN_COLUMN: Final = Column(RUN, "INTEGER", "Which of the opened runs the row is of, from 1; `runs` has their names.")
