"""Options of the flame graph."""

from typing import Annotated, Literal

import attrs

from scopelight.analysis.options import DeviceOption, Option, ScopeOption

FlameMeasure = Literal["op-time", "wall-time", "flops", "memory"]
"""Self time of ops; the wall clock in which a device ran something, in equal parts where several ops ran at once; FLOPs
that were executed; bytes in main memory at the peak of the program with the largest one."""


@attrs.frozen
class FlameOptions:
    """What is measured, and of which frames, device and scope; memory is that of the peak in any scope."""

    measure: Annotated[
        FlameMeasure,
        Option("What is divided: op time, the devices' wall clock, executed FLOPs, or the memory in use at the peak."),
    ] = "op-time"
    libraries: Annotated[bool, Option("Show stacks as recorded, with the frames of libraries.")] = False
    device: DeviceOption = None
    scope: ScopeOption = None
