"""The schema for who asks: records of the tables, and what may be asked of them."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.records import FORMAT_VERSION
from scopelight.findings import Finding
from scopelight.phrase import Phrase
from scopelight.sql.errors import EXTRA, QueryError
from scopelight.sql.schema import Kind
from scopelight.sql.tables import TABLES


@attrs.frozen(slots=True)
class SchemaColumn:
    """A column: its name with its unit, the type of its values, and a sentence."""

    name: str
    kind: Kind
    sentence: str


@attrs.frozen(slots=True)
class SchemaTable:
    """A table and its columns; ``for_people`` is the view of it with times in milliseconds, None without times."""

    name: str
    sentence: str
    for_people: str | None
    columns: tuple[SchemaColumn, ...]


@attrs.frozen(slots=True)
class QueryExample:
    """A question and the query that answers it."""

    question: str
    query: str


@attrs.frozen(slots=True)
class QuerySchema:
    """All that can be asked about, and examples. ``is_installed``: what answers is there; ``requirement`` names it."""

    tables: tuple[SchemaTable, ...]
    examples: tuple[QueryExample, ...] = ()
    is_installed: bool = True
    requirement: str = EXTRA
    findings: tuple[Finding, ...] = ()
    format_version: int = FORMAT_VERSION


def schema_tables(names: Sequence[str] = ()) -> tuple[SchemaTable, ...]:
    """Tables by their names, all without any. Raises `QueryError` where there is none of a name."""
    unknown = [each for each in names if each not in TABLES]
    if unknown:
        raise QueryError(
            "wrong", Phrase("There is no table {name}; there are {known}.", name=unknown[0], known=", ".join(TABLES))
        )
    return tuple(
        SchemaTable(
            table.name,
            table.sentence,
            table.for_people if table.has_times else None,
            tuple(SchemaColumn(each.name, each.kind, each.sentence) for each in table.columns),
        )
        for table in map(TABLES.__getitem__, names or TABLES)
    )
