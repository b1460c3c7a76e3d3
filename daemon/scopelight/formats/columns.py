"""Columns: the types of arrays that hold one value per row, whatever the rows are."""

from typing import TypeVar

import numpy as np
import numpy.typing as npt

Int64 = npt.NDArray[np.int64]
Int32 = npt.NDArray[np.int32]
Int16 = npt.NDArray[np.int16]
Int8 = npt.NDArray[np.int8]
UInt64 = npt.NDArray[np.uint64]
UInt32 = npt.NDArray[np.uint32]
UInt16 = npt.NDArray[np.uint16]
UInt8 = npt.NDArray[np.uint8]
Float64 = npt.NDArray[np.float64]
Bool = npt.NDArray[np.bool_]

Numbers = TypeVar("Numbers", bound=np.generic)


def distinct_values(values: npt.NDArray[Numbers]) -> npt.NDArray[Numbers]:
    """The values that occur, each once, in ascending order.

    ``np.unique`` imports masked arrays to ask whether this is one, which takes a thirtieth of a short command.
    """
    # Most columns are in some order already: what is left of their runs is little to sort.
    return _without_repeats(np.sort(_without_repeats(values.reshape(-1))))


def _without_repeats(values: npt.NDArray[Numbers]) -> npt.NDArray[Numbers]:
    differs = np.ones(len(values), np.bool_)
    differs[1:] = values[1:] != values[:-1]
    return values[differs]
