"""What is told of a job while it is watched."""

from typing import Final, Literal

import attrs

from scopelight.findings import Finding

FORMAT_VERSION: Final = 1

UtilisationBasis = Literal["device-busy", "matrix-unit"]
"""``device-busy``: the share of the wall clock in which an op was under way on the device, the mean of all devices, as
the tools of GPUs count; ``matrix-unit``: the share of what its matrix unit could do, as a TPU's own service counts."""


@attrs.frozen(slots=True)
class JobReading:
    """How a job did over ``span_ps``; level 1 is up to ``utilisation_basis``, the rest is None at that level.

    ``device_type`` is ``cpu``, ``gpu`` or ``tpu``. ``cores`` are the devices that worked. ``idle_ratio`` is the share
    of their wall clock in which nothing was under way. Step times are from one step's start to the next's. ``infeed``
    ratios are the shares of steps that devices waited for an infeed. What is not known is None, and ``findings`` say
    why.
    """

    address: str
    time_ns: int
    span_ps: int | None = None
    device_type: str | None = None
    utilisation_ratio: float | None = None
    utilisation_basis: UtilisationBasis | None = None
    idle_ratio: float | None = None
    cores: int | None = None
    steps: int | None = None
    step_avg_ps: float | None = None
    step_min_ps: float | None = None
    step_max_ps: float | None = None
    infeed_avg_ratio: float | None = None
    infeed_min_ratio: float | None = None
    infeed_max_ratio: float | None = None
    findings: tuple[Finding, ...] = ()
    format_version: int = FORMAT_VERSION
