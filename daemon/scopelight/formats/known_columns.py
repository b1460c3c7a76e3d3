"""Values of which some are not known, as one column of numpy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from scopelight.formats.columns import Bool

_LARGEST = np.iinfo(np.int64).max


def known_column(values: Sequence[Any], dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """A column of numbers or booleans, masked where one is None or NaN, or a whole number of more than 64 bits."""
    unknown = np.array([_is_unknown(each) for each in values], dtype=np.bool_)
    known = [0 if is_unknown else each for each, is_unknown in zip(values, unknown.tolist(), strict=True)]
    return masked(np.array(known, dtype=dtype), unknown)


def text_column(values: Sequence[Any]) -> npt.NDArray[np.object_]:
    """A column of anything else, as it is."""
    column = np.empty(len(values), dtype=object)
    column[:] = list(values)
    return column


def masked(values: npt.NDArray[Any], unknown: Bool) -> npt.NDArray[Any]:
    """``values`` but for those that are not known."""
    if not unknown.any():
        return values
    made: npt.NDArray[Any] = np.ma.MaskedArray(values, unknown)
    return made


def _is_unknown(value: Any) -> bool:  # noqa: ANN401 (a value of any column)
    return value is None or (isinstance(value, int) and abs(value) > _LARGEST) or value != value  # noqa: PLR0124 (NaN)
