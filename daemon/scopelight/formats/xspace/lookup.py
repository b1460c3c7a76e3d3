"""Which row belongs to an id: ids in a profile may be dense, sparse, negative or hostile."""

from typing import NamedTuple

import numpy as np

from scopelight.formats.columns import Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.formats.wire import Whole


class IdTable(NamedTuple):
    """Rows by id in a shape that kernels take: a direct table where ids are dense, else sorted ids to bisect.

    A hash table would be quicker for sparse ids, but a hostile file could choose ids that collide.
    """

    base: np.int64
    direct: Int32
    sorted_ids: Int64
    sorted_rows: Int32


def id_table(ids: Int64) -> IdTable:
    """The table for ``ids`` (distinct), whose rows are their positions."""
    nothing = np.empty(0, np.int64), np.empty(0, np.int32)
    if len(ids) == 0:
        return IdTable(np.int64(0), np.empty(0, np.int32), *nothing)
    low, high = int(ids.min()), int(ids.max())
    if high - low < 4 * len(ids) + 1024:
        direct = np.full(high - low + 1, -1, np.int32)
        direct[ids - low] = np.arange(len(ids), dtype=np.int32)
        return IdTable(np.int64(low), direct, *nothing)
    order = np.argsort(ids, kind="stable")
    return IdTable(np.int64(0), np.empty(0, np.int32), ids[order], order.astype(np.int32))


@kernel
def find_row(table: IdTable, wanted: Whole) -> Whole:
    """The row of the id ``wanted``, -1 if there is none."""
    size = table.direct.shape[0]
    if size:
        index = wanted - table.base
        if index < 0 or index >= size:
            return np.int64(-1)
        return np.int64(table.direct[np.uintp(index)])
    low, high = np.int64(0), np.int64(table.sorted_ids.shape[0])
    while low < high:
        middle = (low + high) >> 1
        if table.sorted_ids[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < table.sorted_ids.shape[0] and table.sorted_ids[low] == wanted:
        return np.int64(table.sorted_rows[low])
    return np.int64(-1)


def rows_of_small_ids(table: IdTable, beyond: int) -> Int32:
    """The rows of the ids from 0 to ``beyond``, that one excluded; -1 where there is none."""
    rows = np.full(beyond, -1, np.int32)
    if len(table.direct):
        first = max(0, int(table.base))
        found = table.direct[first - int(table.base) :][: max(0, beyond - first)]
        rows[first : first + len(found)] = found
    else:
        begin, end = np.searchsorted(table.sorted_ids, (0, beyond)).tolist()
        rows[table.sorted_ids[begin:end]] = table.sorted_rows[begin:end]
    return rows
