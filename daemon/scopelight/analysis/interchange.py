"""The interchange protocol for data frames (``__dataframe__``), over columns of numpy.

https://data-apis.org/dataframe-protocol/latest: of its kinds of columns there are whole numbers, floating point
numbers, booleans and texts. Each has one chunk, which shares its memory with the array where that is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, Final, NoReturn

import attrs
import numpy as np
import numpy.typing as npt

from scopelight.analysis.column_types import Columns, array_of, dtype_of
from scopelight.formats.columns import Bool

_NATIVE: Final = "="
_ON_CPU: Final = (1, None)


class Kind(IntEnum):
    """Kinds of columns by the protocol's numbers."""

    INT = 0
    FLOAT = 2
    BOOL = 20
    STRING = 21


class Nulls(IntEnum):
    """How what is not known is told from what is, by the protocol's numbers."""

    NONE = 0
    BYTES = 4


Dtype = tuple[Kind, int, str, str]
"""Kind, bits, format as Arrow writes it, byte order."""
_FORMATS: Final[Mapping[tuple[str, int], tuple[Kind, str]]] = {
    ("i", 4): (Kind.INT, "i"),
    ("i", 8): (Kind.INT, "l"),
    ("f", 8): (Kind.FLOAT, "g"),
    ("b", 1): (Kind.BOOL, "b"),
    ("u", 1): (Kind.INT, "C"),
}
_TEXT: Final[Dtype] = (Kind.STRING, 8, "u", _NATIVE)
_CODE: Final[Dtype] = (Kind.INT, 8, "C", _NATIVE)
_KNOWN: Final[Dtype] = (Kind.BOOL, 8, "b", _NATIVE)
_OFFSET: Final[Dtype] = (Kind.INT, 64, "l", _NATIVE)


@attrs.frozen(eq=False, repr=False)
class Buffer:
    """Memory that a column lies in."""

    _array: npt.NDArray[Any]

    @property
    def bufsize(self) -> int:
        """Its size in bytes."""
        return self._array.nbytes

    @property
    def ptr(self) -> int:
        """Where it begins."""
        return int(self._array.ctypes.data)

    def __dlpack__(self) -> NoReturn:
        """Not offered."""
        raise NotImplementedError("__dlpack__")

    def __dlpack_device__(self) -> tuple[int, None]:
        """The CPU."""
        return _ON_CPU


@attrs.frozen(eq=False, repr=False)
class InterchangeColumn:
    """One column. ``offsets`` are where texts begin in ``data``, and the end of the last."""

    dtype: Dtype
    _length: int
    _data: npt.NDArray[Any]
    _known: Bool | None = None
    _offsets: npt.NDArray[np.int64] | None = None

    @property
    def metadata(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    @property
    def offset(self) -> int:
        """Where the column begins in its memory."""
        return 0

    @property
    def describe_null(self) -> tuple[Nulls, int | None]:
        """A boolean for each value, false where that is not known; nothing where all are."""
        return (Nulls.NONE, None) if self._known is None else (Nulls.BYTES, 0)

    @property
    def null_count(self) -> int:
        """How many values are not known."""
        return 0 if self._known is None else int((~self._known).sum())

    @property
    def describe_categorical(self) -> NoReturn:
        """No column is categorical."""
        raise TypeError("The column is not categorical.")

    def size(self) -> int:
        """How many values it has."""
        return self._length

    def num_chunks(self) -> int:
        """One."""
        return 1

    def get_chunks(self, n_chunks: int | None = None) -> Iterable[InterchangeColumn]:  # noqa: ARG002 (the protocol's)
        """The column itself."""
        yield self

    def get_buffers(self) -> dict[str, tuple[Buffer, Dtype] | None]:
        """What it lies in."""
        return {
            "data": (Buffer(self._data), _CODE if self._offsets is not None else self.dtype),
            "validity": None if self._known is None else (Buffer(self._known), _KNOWN),
            "offsets": None if self._offsets is None else (Buffer(self._offsets), _OFFSET),
        }


@attrs.frozen(eq=False, repr=False)
class InterchangeTable:
    """Columns of equal length, in order."""

    _columns: Mapping[str, InterchangeColumn]

    @property
    def metadata(self) -> dict[str, Any]:
        """Nothing."""
        return {}

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> InterchangeTable:
        """The table itself."""
        return self

    def num_columns(self) -> int:
        """How many columns it has."""
        return len(self._columns)

    def num_rows(self) -> int:
        """How many rows it has."""
        return next((each.size() for each in self._columns.values()), 0)

    def num_chunks(self) -> int:
        """One."""
        return 1

    def column_names(self) -> Iterable[str]:
        """Names of the columns."""
        return list(self._columns)

    def get_column(self, i: int) -> InterchangeColumn:
        """A column by its place."""
        return list(self._columns.values())[i]

    def get_column_by_name(self, name: str) -> InterchangeColumn:
        """A column by its name."""
        return self._columns[name]

    def get_columns(self) -> Iterable[InterchangeColumn]:
        """All columns."""
        return list(self._columns.values())

    def select_columns(self, indices: Sequence[int]) -> InterchangeTable:
        """Some columns by their places."""
        names = list(self._columns)
        return self.select_columns_by_name([names[each] for each in indices])

    def select_columns_by_name(self, names: Sequence[str]) -> InterchangeTable:
        """Some columns by their names."""
        return InterchangeTable({name: self._columns[name] for name in names})

    def get_chunks(self, n_chunks: int | None = None) -> Iterable[InterchangeTable]:  # noqa: ARG002 (the protocol's)
        """The table itself."""
        yield self


def interchange_table(columns: Columns, *, allow_copy: bool = True) -> InterchangeTable:
    """The columns that the protocol has a kind for; rows of other records, which some hold, are left out.

    Raises `RuntimeError` where memory may not be copied, and some column has to be.
    """
    found: dict[str, InterchangeColumn] = {}
    for name, (values, kind) in columns.items():
        dtype = dtype_of(kind)
        if dtype == "object":
            continue
        if not allow_copy and (dtype == "string" or not isinstance(values, np.ndarray)):
            raise RuntimeError(f"The column {name} cannot be given without a copy.")
        array = array_of(values, kind)
        found[name] = _text(array) if dtype == "string" else _numbers(array)
    return InterchangeTable(found)


def _numbers(array: npt.NDArray[Any]) -> InterchangeColumn:
    unknown = np.ma.getmaskarray(array) if np.ma.isMaskedArray(array) else None
    data = np.ascontiguousarray(np.ma.getdata(array))
    kind, written = _FORMATS[data.dtype.kind, data.dtype.itemsize]
    known = None if unknown is None else ~unknown
    return InterchangeColumn((kind, 8 * data.dtype.itemsize, written, _NATIVE), len(data), data, known)


def _text(array: npt.NDArray[Any]) -> InterchangeColumn:
    encoded = [b"" if each is None else str(each).encode(errors="replace") for each in array.tolist()]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(each) for each in encoded], out=offsets[1:])
    # Memory of no bytes has no place that could be told.
    data = np.frombuffer(b"".join(encoded) or b"\0", dtype=np.uint8)
    known = np.array([each is not None for each in array.tolist()], dtype=np.bool_)
    return InterchangeColumn(_TEXT, len(encoded), data, None if known.all() else known, offsets)
