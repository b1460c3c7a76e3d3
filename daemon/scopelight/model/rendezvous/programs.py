"""Numbers for programs that are the same in every process that compiled them."""

import hashlib

import numpy as np

from scopelight.formats.columns import Int64
from scopelight.model.executions import Executions
from scopelight.program.hlo.fingerprint import fingerprint_of


def program_numbers(executions: Executions) -> Int64:
    """By program its fingerprint, as a signed number; of one that the profile does not hold, a number of its name."""
    modules = {op.program: op.module for op in executions.ops if op.module is not None}
    found = np.zeros(len(executions.programs), dtype=np.int64)
    for row, program in enumerate(executions.programs):
        module = modules.get(row)
        number = fingerprint_of(module) if module is not None else _of_name(program.name)
        found[row] = signed(number)
    return found


def signed(number: int) -> int:
    """The bits of an unsigned number of 64 bits as a signed one."""
    return number - (1 << 64) if number >= 1 << 63 else number


def _of_name(name: str) -> int:
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")
