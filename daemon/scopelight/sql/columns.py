"""Rows as columns that DuckDB reads where they lie: numbers that are not known are masked, text that is not is None."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scopelight.formats.known_columns import known_column, text_column
from scopelight.sql.schema import Column, Columns, Kind

_DTYPES: Final[Mapping[Kind, Any]] = {
    "INTEGER": np.int32,
    "BIGINT": np.int64,
    "DOUBLE": np.float64,
    "BOOLEAN": np.bool_,
}


def columns_of(columns: Iterable[Column], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """The columns of rows that are known by the names of their columns; what a row lacks is not known."""
    return {each.name: column([row.get(each.name) for row in rows], each.kind) for each in columns}


def column(values: Sequence[Any], kind: Kind) -> npt.NDArray[Any]:
    """One column. A whole number that has more than 64 bits, as FLOPs of hostile sizes have, is not known."""
    if kind == "VARCHAR":
        return text_column([None if each is None else _text(str(each)) for each in values])
    return known_column(values, _DTYPES[kind])


def _text(text: str) -> str:
    """``text`` as DuckDB takes it, which is UTF-8: names from files may hold halves of surrogate pairs."""
    return text.encode(errors="replace").decode()
