"""Records and columns as tables of pandas, polars and numpy, and of whatever takes the interchange protocol.

pandas and polars are imported when a table of theirs is asked for.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, get_args, get_type_hints

import attrs

from scopelight.analysis.column_types import Columns, array_of, dtype_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pandas
    import polars

    from scopelight.analysis.interchange import InterchangeTable

_POLARS: Mapping[str, str] = {"Int64": "Int64", "float64": "Float64", "boolean": "Boolean", "string": "String"}


class Table:
    """What has columns. ``as_html`` makes HTML of one for notebooks, and is set by whoever has the words for it."""

    __slots__ = ()

    as_html: ClassVar[Callable[["Table"], str] | None] = None
    FIRST_COLUMNS: ClassVar[Sequence[str]] = ()
    """What has to be seen first where there is room for few columns, such as how sure the figures of a row are."""

    def table_columns(self) -> Columns:
        """Every column by its name, which ends in its unit."""
        raise NotImplementedError

    def to_pandas(self) -> "pandas.DataFrame":
        """The columns as a table of pandas; what is not known is NA."""
        import pandas  # noqa: PLC0415 (it takes half a second to import, and few ask for it)

        columns = self.table_columns()
        return pandas.DataFrame(
            {name: _pandas_column(values, dtype_of(kind)) for name, (values, kind) in columns.items()}
        )

    def to_polars(self) -> "polars.DataFrame":
        """The columns as a table of polars, which has to be installed; what is not known is null."""
        try:
            import polars  # noqa: PLC0415 (as pandas)
        except ImportError as error:
            raise ImportError("to_polars() needs polars, which is not installed: pip install polars") from error

        columns = self.table_columns()
        return polars.DataFrame(
            [_polars_column(name, values, dtype_of(kind)) for name, (values, kind) in columns.items()]
        )

    def to_numpy(self) -> "dict[str, npt.NDArray[Any]]":
        """The columns as arrays by their names; numbers are masked where they are not known, texts None."""
        return {name: array_of(values, kind) for name, (values, kind) in self.table_columns().items()}

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> "InterchangeTable":
        """The columns of numbers, booleans and texts by the interchange protocol for data frames."""
        from scopelight.analysis.interchange import interchange_table  # noqa: PLC0415 (few ask for it)

        del nan_as_null
        return interchange_table(self.table_columns(), allow_copy=allow_copy)

    def _repr_html_(self) -> str | None:
        """The first rows, for notebooks."""
        make = Table.as_html
        return None if make is None else make(self)


class Tabular(Table):
    """A record whose main rows are a table. ``ROWS`` is the field or the property that has them."""

    __slots__ = ()

    ROWS: ClassVar[str] = "rows"

    def table_columns(self) -> Columns:
        """A column for each field of the main rows."""
        has_rows = getattr(type(self), self.ROWS)
        hints = get_type_hints(has_rows.fget) if isinstance(has_rows, property) else get_type_hints(type(self))
        row = get_args(hints.get("return", hints.get(self.ROWS)))[0]
        kinds = {name: kind for name, kind in get_type_hints(row).items() if name in attrs.fields_dict(row)}
        rows: Sequence[Any] = getattr(self, self.ROWS)
        return {name: ([getattr(each, name) for each in rows], kind) for name, kind in kinds.items()}


def _pandas_column(values: Any, dtype: str) -> Any:  # noqa: ANN401 (what pandas takes, and what it makes of it)
    import pandas  # noqa: PLC0415

    try:
        return pandas.Series(values, dtype=dtype)
    except OverflowError:
        # A whole number that has more than 64 bits, as FLOPs of hostile sizes have, stays exact.
        return pandas.Series(values, dtype="object")


def _polars_column(name: str, values: Any, dtype: str) -> Any:  # noqa: ANN401 (what polars takes, and what it makes of it)
    import polars  # noqa: PLC0415

    known = _POLARS.get(dtype)
    if known == "String":
        # Names from files may hold halves of surrogate pairs, which polars does not take.
        values = [None if each is None else str(each).encode(errors="replace").decode() for each in values]
    try:
        return polars.Series(name, values, dtype=polars.Object if known is None else getattr(polars, known))
    except (OverflowError, TypeError):
        return polars.Series(name, list(values), dtype=polars.Object)
