"""Columns of a table, and the types of their values: as they are annotated, and as numpy and pandas have them."""

import types
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

if TYPE_CHECKING:
    import numpy.typing as npt

Columns = Mapping[str, tuple[Any, Any]]
"""By the name of a column its values, and the type of one as it is annotated."""

_DTYPES: Mapping[Any, str] = {int: "Int64", float: "float64", bool: "boolean", str: "string"}
"""Those of pandas that know of values that are not known."""
_NUMPY: Mapping[str, str] = {"Int64": "int64", "float64": "float64", "boolean": "bool"}


def array_of(values: Any, kind: Any) -> "npt.NDArray[Any]":  # noqa: ANN401 (a column, and an annotation)
    """A column as an array."""
    import numpy as np  # noqa: PLC0415 (records are imported where nothing is read)

    from scopelight.formats.known_columns import known_column, text_column  # noqa: PLC0415

    if isinstance(values, np.ndarray):
        return values
    dtype = _NUMPY.get(dtype_of(kind))
    return text_column(values) if dtype is None else known_column(values, dtype)


def dtype_of(kind: Any) -> str:  # noqa: ANN401 (an annotation)
    """What pandas calls the type of values that are annotated so."""
    if get_origin(kind) in (Union, types.UnionType):
        kinds = [each for each in get_args(kind) if each is not type(None)]
        kind = kinds[0] if len(kinds) == 1 else object
    choices = get_args(kind)
    if choices and all(isinstance(each, str) for each in choices):
        return "string"
    return _DTYPES.get(kind, "object")
