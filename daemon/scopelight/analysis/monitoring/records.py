"""What is told of a job while it is watched."""

from typing import Final, Literal

import attrs

from scopelight.findings import Finding

FORMAT_VERSION: Final = 1

UtilisationBasis = Literal["device-busy", "matrix-unit", "duty-cycle"]
"""``device-busy``: the share of the wall clock in which an op was under way on the device, the mean of all devices, as
the tools of GPUs count; ``matrix-unit``: the share of what its matrix unit could do, as a TPU's own service counts;
``duty-cycle``: the share of the last seconds in which the TensorCores of a TPU worked, as its runtime counts."""
StepBasis = Literal["counted", "traced"]
"""``counted``: every step since the reading before, as the script ends them; ``traced``: the complete steps of the
trace, as devices run them."""
InfeedBasis = Literal["infeed-ops", "host-input"]
"""``infeed-ops``: the time of the devices' own ops that wait for an infeed; ``host-input``: the time in which devices
were idle while the script was getting its input."""


@attrs.frozen(slots=True)
class JobReading:
    """How a job did over ``span_ps``; level 1 is up to ``utilisation_basis``, the rest is None at that level.

    ``device_type`` is ``cpu``, ``gpu`` or ``tpu``. ``cores`` are the devices that worked. ``idle_ratio`` is the share
    of their wall clock in which nothing was under way. Step times are from one step's start to the next's. ``infeed``
    ratios are the shares of steps that devices waited for their input. What is not known is None, and ``findings`` say
    why. ``address`` is what is watched: a server's, a run directory, or ``pid:`` and a process.

    ``traced_ps`` is how long the job was traced for it, and ``pause_ps`` what beginning and ending that took.
    ``counted_steps`` ended in ``counted_ps`` since the reading before. ``step_basis`` is that of the average, and
    ``step_range_basis`` that of the least and the most: where the script runs ahead of its devices, steps that are
    counted may seem shorter and longer one by one than devices take for them. The bytes are of all devices' memory.
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
    infeed_basis: InfeedBasis | None = None
    step_basis: StepBasis | None = None
    step_range_basis: StepBasis | None = None
    counted_steps: int | None = None
    counted_ps: int | None = None
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    traced_ps: int | None = None
    pause_ps: int | None = None
    findings: tuple[Finding, ...] = ()
    format_version: int = FORMAT_VERSION
