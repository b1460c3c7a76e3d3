"""What is read on this machine: the files of Linux where there are any, otherwise what psutil knows."""

import os
import sys
from typing import Any

from scopelight.capture.resources.part import Parts, Planned

_MACHINE_SECONDS = 0.09
"""Between two readings of the machine's cores, which are counted in hundredths of a second."""
_SLOWLY_SECONDS = 0.45
"""Between two readings of what changes slowly."""


def parts(pid: int) -> Parts:
    """The parts of a reading, for the script of that process."""
    if sys.platform != "linux":
        from scopelight.capture.resources.elsewhere import Elsewhere  # noqa: PLC0415

        return {"processes": Planned(lambda: Elsewhere(pid))}
    from scopelight.capture.resources.control_group import ControlGroup  # noqa: PLC0415
    from scopelight.capture.resources.machine import Machine, Memory, Pressure  # noqa: PLC0415
    from scopelight.capture.resources.processes import Processes  # noqa: PLC0415
    from scopelight.capture.resources.throughput import Disks, Networks  # noqa: PLC0415

    made: list[Machine] = []

    def machine() -> Machine:
        made.append(Machine())
        return made[0]

    return {
        # First, since it says whether there can be new processes.
        "machine": Planned(machine, _MACHINE_SECONDS),
        "processes": Planned(lambda: Processes(pid, lambda: made[0].forks if made else -1)),
        "memory": Planned(Memory, _SLOWLY_SECONDS, may_be_absent=True),
        "pressure": Planned(Pressure, _SLOWLY_SECONDS, may_be_absent=True),
        "disks": Planned(Disks, _SLOWLY_SECONDS, may_be_absent=True),
        "networks": Planned(Networks, _SLOWLY_SECONDS, may_be_absent=True),
        "control-group": Planned(lambda: ControlGroup(pid), _SLOWLY_SECONDS, may_be_absent=True),
    }


def head(pid: int) -> dict[str, Any]:
    """What does not change: the cores of the machine, those that the script may use, and all memory."""
    cores = os.cpu_count()
    if sys.platform != "linux":
        from scopelight.capture.resources.elsewhere import memory_bytes as of_psutil  # noqa: PLC0415

        return {"cores": cores, "usable_cores": cores, "memory_bytes": of_psutil()}
    from scopelight.capture.resources.control_group import ControlGroup, usable_cores  # noqa: PLC0415
    from scopelight.capture.resources.machine import memory_bytes  # noqa: PLC0415

    try:
        group = ControlGroup(pid)
        group.close()
        quota = group.cores
    except OSError:
        quota = None
    return {"cores": cores, "usable_cores": usable_cores(pid, quota), "memory_bytes": memory_bytes()}
