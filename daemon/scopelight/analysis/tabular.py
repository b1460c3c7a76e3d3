"""Records as tables of pandas, which is imported when one is asked for."""

import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Union, get_args, get_origin, get_type_hints

import attrs

if TYPE_CHECKING:
    import pandas

_DTYPES: Mapping[Any, str] = {int: "Int64", float: "float64", bool: "boolean", str: "string"}
"""Those of pandas that know of values that are not known."""


class Tabular:
    """A record whose main rows are a table. ``ROWS`` is the field or the property that has them."""

    __slots__ = ()

    ROWS: ClassVar[str] = "rows"

    def to_pandas(self) -> "pandas.DataFrame":
        """The main rows: a column for each field, with its unit in its name; what is not known is NA."""
        has_rows = getattr(type(self), self.ROWS)
        hints = get_type_hints(has_rows.fget) if isinstance(has_rows, property) else get_type_hints(type(self))
        row = get_args(hints.get("return", hints.get(self.ROWS)))[0]
        kinds = {name: kind for name, kind in get_type_hints(row).items() if name in attrs.fields_dict(row)}
        rows: Sequence[Any] = getattr(self, self.ROWS)
        return frame({name: ([getattr(each, name) for each in rows], kind) for name, kind in kinds.items()})


def frame(columns: Mapping[str, tuple[Any, Any]]) -> "pandas.DataFrame":
    """A table of columns: of each its values, and the type of one as it is annotated."""
    import pandas  # noqa: PLC0415 (it takes half a second to import, and few ask for it)

    return pandas.DataFrame({name: _column(values, _dtype(kind)) for name, (values, kind) in columns.items()})


def _column(values: Any, dtype: str) -> Any:  # noqa: ANN401 (what pandas takes, and what it makes of it)
    import pandas  # noqa: PLC0415

    try:
        return pandas.Series(values, dtype=dtype)
    except OverflowError:
        # A whole number that has more than 64 bits, as FLOPs of hostile sizes have, stays exact.
        return pandas.Series(values, dtype="object")


def _dtype(kind: Any) -> str:  # noqa: ANN401 (an annotation)
    if get_origin(kind) in (Union, types.UnionType):
        kinds = [each for each in get_args(kind) if each is not type(None)]
        kind = kinds[0] if len(kinds) == 1 else object
    choices = get_args(kind)
    if choices and all(isinstance(each, str) for each in choices):
        return "string"
    return _DTYPES.get(kind, "object")
