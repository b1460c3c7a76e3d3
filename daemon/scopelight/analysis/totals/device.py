"""Which devices an analysis of ops is of: all together, or one by its name."""

from collections import Counter
from collections.abc import Mapping

import attrs
import numpy as np

from scopelight.analysis.options import OptionError
from scopelight.model.executions import Executions


def device_rows(executions: Executions) -> Mapping[str, int]:
    """The devices that ran ops: their names to their rows; with the host where several hosts have one name."""
    busy = np.bincount(executions.device, minlength=len(executions.devices)) > 0
    named = Counter(device.name for row, device in enumerate(executions.devices) if busy[row])
    return {
        device.name if named[device.name] == 1 else f"{device.name} (host {device.host})": row
        for row, device in enumerate(executions.devices)
        if busy[row]
    }


def of_device(executions: Executions, name: str | None) -> Executions:
    """The executions of one device, rows of all other tables as they were; all of them where ``name`` is None.

    Raises `LookupError` with a sentence where no device of that name ran anything.
    """
    if name is None:
        return executions
    devices = device_rows(executions)
    if name not in devices:
        known = ", ".join(devices) or "none"
        raise OptionError("device", f"No device called {name} ran anything in this profile; those that did: {known}.")
    rows = slice(*np.searchsorted(executions.device, [devices[name], devices[name] + 1]).tolist())
    return attrs.evolve(
        executions,
        op=executions.op[rows],
        device=executions.device[rows],
        run=executions.run[rows],
        lane=executions.lane[rows],
        start_ps=executions.start_ps[rows],
        duration_ps=executions.duration_ps[rows],
        self_ps=executions.self_ps[rows],
    )
