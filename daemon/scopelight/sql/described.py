"""The schema for who asks: records of the tables, and what may be asked of them."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.records import FORMAT_VERSION
from scopelight.findings import Finding
from scopelight.phrase import Phrase
from scopelight.sql.errors import EXTRA, QueryError
from scopelight.sql.schema import PICOSECONDS, Kind, Table, in_milliseconds
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
    """Tables, or views with times in milliseconds, by their names; all tables without any.

    Raises `QueryError` where there is none of a name.
    """
    views = {table.for_people: table for table in TABLES.values() if table.has_times}
    unknown = [each for each in names if each not in TABLES and each not in views]
    if unknown:
        raise QueryError(
            "wrong", Phrase("There is no table {name}; there are {known}.", name=unknown[0], known=", ".join(TABLES))
        )
    return tuple(_of_view(views[each]) if each in views else _of_table(TABLES[each]) for each in names or TABLES)


def _of_table(table: Table) -> SchemaTable:
    columns = tuple(SchemaColumn(each.name, each.kind, each.sentence) for each in table.columns)
    return SchemaTable(table.name, table.sentence, table.for_people if table.has_times else None, columns)


def _of_view(table: Table) -> SchemaTable:
    columns = tuple(
        SchemaColumn(in_milliseconds(each.name), "DOUBLE", each.sentence)
        if each.name.endswith(PICOSECONDS)
        else SchemaColumn(each.name, each.kind, each.sentence)
        for each in table.columns
    )
    return SchemaTable(table.for_people, f"`{table.name}` with its times in milliseconds.", None, columns)
