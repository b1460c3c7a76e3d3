"""How many devices of a host a program ran on, where its executions do not name them."""

from collections.abc import Sequence

import numpy as np

from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.model.backends.run_splitting import runs_once
from scopelight.model.executions import Op


def devices_here(ops: Sequence[Op], op: Int32, is_of_device: Bool | None) -> Int64:
    """By row of ``ops`` the number of devices of this host that its program ran on; ``op`` is of each execution.

    A program knows the devices of all processes, of which each has as many. A launch has one of each device inside,
    so that those of devices, less those of all, are by program its runs less its launches: this tells how many
    processes there are. Without launches on record it is taken for one.
    """
    devices = np.array([each.module.device_count if each.module else 1 for each in ops], dtype=np.int64)
    if is_of_device is None or not is_of_device.any() or not (devices > 1).any():
        return devices
    beyond_launches = 2 * int(np.count_nonzero(is_of_device)) - len(is_of_device)
    executions = np.bincount(op, minlength=len(ops)) * runs_once(ops)
    runs: dict[int, int] = {}
    devices_of: dict[int, int] = {}
    for row, each in enumerate(ops):
        runs[each.program] = max(runs.get(each.program, 0), int(executions[row]))
        devices_of[each.program] = int(devices[row])
    most = max(devices_of.values())

    def apart(processes: int) -> float:
        each = {program: max(1, count // processes) for program, count in devices_of.items()}
        return abs(sum(runs[program] * (1 - 1 / each[program]) for program in runs) - beyond_launches)

    processes = min((count for count in range(1, most + 1) if most % count == 0), key=apart)
    return np.maximum(1, devices // processes)
