"""Rows of records as rows of tables: those that have the names of the columns."""

from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from scopelight.sql.columns import columns_of
from scopelight.sql.schema import Columns
from scopelight.sql.tables import TABLES


def fields_of(record: attrs.AttrsInstance) -> Mapping[str, Any]:
    """The fields of a record by their names."""
    return {each.name: getattr(record, each.name) for each in attrs.fields(type(record))}


def table_columns(name: str, rows: Iterable[Mapping[str, Any]]) -> Columns:
    """The columns of a table but the first, which says the run."""
    return columns_of(TABLES[name].columns[1:], list(rows))
