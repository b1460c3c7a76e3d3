"""Kernels per run: how many kernels one run of a GPU's instruction takes, where it is more than one."""

from collections.abc import Mapping

import numpy as np

from scopelight.model.backends.run_splitting import runs_once
from scopelight.model.executions import Executions


def kernels_per_run(executions: Executions) -> Mapping[int, int]:
    """By row of `Executions.ops`, the kernels of one run of it; absent where it is one, or cannot be told.

    A library call may launch several. Each is an execution of its instruction, so an instruction that runs at most once
    in a run of its program has as many kernels as it has executions there: on average, for a capture may cut off some.
    """
    is_gpu = np.array([device.executes_kernels for device in executions.devices], dtype=np.bool_)
    if not is_gpu.any() or not len(executions):
        return {}
    chosen = is_gpu[executions.device] & runs_once(executions.ops)[executions.op] & (executions.run >= 0)
    op, run = executions.op[chosen].astype(np.int64), executions.run[chosen].astype(np.int64)
    kernels = np.bincount(op, minlength=len(executions.ops))
    width = int(run.max(initial=0)) + 1
    runs = np.bincount(np.unique(op * width + run) // width, minlength=len(executions.ops))
    per_run = np.rint(kernels / np.maximum(1, runs)).astype(np.int64)
    return {row: int(per_run[row]) for row in np.flatnonzero(per_run > 1).tolist()}
