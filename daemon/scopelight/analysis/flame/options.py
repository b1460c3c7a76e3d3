"""Options of the flame graph."""

from typing import Annotated, Literal

import attrs

from scopelight.analysis.options import DeviceOption, Option

FlameMeasure = Literal["op-time", "wall-time", "flops", "memory"]
"""Self time of ops; the wall clock in which a device ran something, in equal parts where several ops ran at once; FLOPs
that were executed; bytes in main memory at the peak of the program with the largest one."""

FlameExtent = Literal["profile", "steps"]
"""The whole profile, or what began inside complete steps. Memory is that of the peak either way."""


@attrs.frozen
class FlameOptions:
    """What is measured, over what, and of which frames and device."""

    measure: Annotated[
        FlameMeasure,
        Option("What is divided: op time, the devices' wall clock, executed FLOPs, or the memory in use at the peak."),
    ] = "op-time"
    extent: Annotated[FlameExtent, Option("Over the whole profile, or its complete steps, each then per step.")] = (
        "profile"
    )
    libraries: Annotated[bool, Option("Show stacks as recorded, with the frames of libraries.")] = False
    device: DeviceOption = None
