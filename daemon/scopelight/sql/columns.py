"""Rows as columns that DuckDB reads where they lie: numbers that are not known are masked, text that is not is None."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from scopelight.sql.schema import Column, Columns, Kind

_DTYPES: Final[Mapping[Kind, Any]] = {
    "INTEGER": np.int32,
    "BIGINT": np.int64,
    "DOUBLE": np.float64,
    "BOOLEAN": np.bool_,
    "VARCHAR": object,
}
_LARGEST: Final = np.iinfo(np.int64).max


def columns_of(columns: Iterable[Column], rows: Sequence[Mapping[str, Any]]) -> Columns:
    """The columns of rows that are known by the names of their columns; what a row lacks is not known."""
    return {each.name: column([row.get(each.name) for row in rows], each.kind) for each in columns}


def column(values: Sequence[Any], kind: Kind) -> npt.NDArray[Any]:
    """One column. A whole number that has more than 64 bits, as FLOPs of hostile sizes have, is not known."""
    if kind == "VARCHAR":
        made = np.empty(len(values), dtype=object)
        made[:] = [None if each is None else _text(str(each)) for each in values]
        return made
    unknown = np.array([_is_unknown(each) for each in values], dtype=np.bool_)
    known = [0 if is_unknown else each for each, is_unknown in zip(values, unknown.tolist(), strict=True)]
    return masked(np.array(known, dtype=_DTYPES[kind]), unknown)


def masked(values: npt.NDArray[Any], unknown: npt.NDArray[np.bool_]) -> npt.NDArray[Any]:
    """``values`` but for those that are not known."""
    if not unknown.any():
        return values
    made: npt.NDArray[Any] = np.ma.MaskedArray(values, unknown)
    return made


def _is_unknown(value: Any) -> bool:  # noqa: ANN401 (a value of any column)
    return value is None or (isinstance(value, int) and abs(value) > _LARGEST) or value != value  # noqa: PLR0124 (NaN)


def _text(text: str) -> str:
    """``text`` as DuckDB takes it, which is UTF-8: names from files may hold halves of surrogate pairs."""
    return text.encode(errors="replace").decode()
