"""What a server itself says of its job, as a reading: TPU nodes have a service for it."""

from collections.abc import Mapping
from typing import Any, Final

from scopelight.analysis.monitoring.reading import MonitorLevel
from scopelight.analysis.monitoring.records import JobReading

_PS_PER_MS: Final = 1e9
_HAS_IDLE: Final = 2
_HAS_STEPS: Final = 3


def answered_reading(said: Mapping[str, Any], address: str, time_ns: int, level: MonitorLevel) -> JobReading:
    """``said`` are the fields of a ``MonitorResult``: its response type tells which of them count."""
    kind = said.get("response_type", 0)
    has_idle, has_steps = level > 1 and kind >= _HAS_IDLE, level > 1 and kind >= _HAS_STEPS

    def ratio(name: str) -> float:
        return float(said.get(name, 0.0)) / 100

    def step_ps(name: str) -> float | None:
        return float(said.get(name, 0.0)) * _PS_PER_MS if has_steps else None

    def infeed(name: str) -> float | None:
        return ratio(name) if has_steps else None

    return JobReading(
        address,
        time_ns,
        device_type="tpu",
        utilisation_ratio=ratio("matrix_unit_utilization_percent") if kind else None,
        utilisation_basis="matrix-unit" if kind else None,
        idle_ratio=ratio("device_idle_time_percent") if has_idle else None,
        step_avg_ps=step_ps("step_time_ms_avg"),
        step_min_ps=step_ps("step_time_ms_min"),
        step_max_ps=step_ps("step_time_ms_max"),
        infeed_avg_ratio=infeed("infeed_percent_avg"),
        infeed_min_ratio=infeed("infeed_percent_min"),
        infeed_max_ratio=infeed("infeed_percent_max"),
    )
