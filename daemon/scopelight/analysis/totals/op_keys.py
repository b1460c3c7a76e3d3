"""Keys of ops: what names an op in every view of a run."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.totals.op_sums import OpSums
from scopelight.model.executions import Executions


def longest_first(sums: OpSums) -> Sequence[int]:
    """The entries by self time, as all views list them."""
    order: list[int] = np.lexsort((np.arange(len(sums)), -sums.self_ps)).tolist()
    return order


def op_key(program_id: str, name: str) -> str:
    """The key of an instruction of a program."""
    return f"{program_id}/{name}"


def op_keys(executions: Executions, sums: OpSums) -> Sequence[str]:
    """The key of each entry, which no other has: kernels outside of programs may share their names."""
    keys = [""] * len(sums)
    taken: set[str] = set()
    for entry in longest_first(sums):
        op = executions.ops[sums.rows[entry][0]]
        program_id = executions.programs[op.program].program_id if op.program >= 0 else ""
        key, number = op_key(program_id, op.name), 1
        while key in taken:
            number += 1
            key = f"{op_key(program_id, op.name)}#{number}"
        taken.add(key)
        keys[entry] = key
    return keys
