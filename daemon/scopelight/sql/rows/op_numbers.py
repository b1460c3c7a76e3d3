"""How ops are numbered: one number for what several hosts run of one program, which is one op to who looks at it."""

import numpy as np

from scopelight.analysis.ops.table import OpEntry, OpTable
from scopelight.formats.columns import Int32


def number_of(entry: OpEntry) -> int:
    """The number of an op."""
    return min(entry.ops)


def numbers_of_ops(table: OpTable) -> Int32 | None:
    """By row of `Executions.ops` the number of the op; None where each is its own, and the column can stay as it is."""
    if all(len(entry.ops) == 1 for entry in table.entries):
        return None
    numbers = np.arange(len(table.centre.executions.ops), dtype=np.int32)
    for entry in table.entries:
        numbers[list(entry.ops)] = number_of(entry)
    return numbers
