"""What libtpu's runtime tells of its TPUs by itself, where it answers: how far they are used, and their memory."""

import os
from typing import TYPE_CHECKING, Final

import attrs
from google.protobuf.message import DecodeError

from scopelight.capture.monitoring.tpu_metrics_pb2 import MetricRequest, MetricResponse
from scopelight.capture.servers.address import Address
from scopelight.capture.servers.call_faults import CallFault
from scopelight.capture.servers.connection import Connection

if TYPE_CHECKING:
    from scopelight.analysis.monitoring.records import JobReading

PORTS_VARIABLE: Final = "TPU_RUNTIME_METRICS_PORTS"
_PORT: Final = 8431
_SECONDS: Final = 1.0
_METHOD: Final = "/tpu.monitoring.runtime.RuntimeMetricService/GetRuntimeMetric"
_DUTY_CYCLE: Final = "tpu.runtime.tensorcore.dutycycle.percent"
_USED: Final = "tpu.runtime.hbm.memory.usage.bytes"
_TOTAL: Final = "tpu.runtime.hbm.memory.total.bytes"


def with_runtime(reading: "JobReading") -> "JobReading":
    """A reading of a TPU with what its runtime says; the same where nobody answers."""
    for port in _ports():
        try:
            connection = Connection.open(Address("localhost", port), _SECONDS)
        except CallFault:
            continue
        try:
            duty = _ask(connection, _DUTY_CYCLE)
            used, total = _ask(connection, _USED), _ask(connection, _TOTAL)
        except (CallFault, DecodeError):
            continue
        finally:
            connection.close()
        if duty:
            ratio = min(1.0, max(0.0, sum(duty) / len(duty) / 100))
            reading = attrs.evolve(reading, utilisation_ratio=ratio, utilisation_basis="duty-cycle")
        return attrs.evolve(reading, memory_used_bytes=_sum(used), memory_total_bytes=_sum(total))
    return reading


def _ports() -> tuple[int, ...]:
    """Where runtimes of this machine answer: each process that uses TPUs has one."""
    said = os.environ.get(PORTS_VARIABLE, "").split(",")
    return tuple(int(each) for each in said if each.isdecimal() and 0 < int(each) < 1 << 16) or (_PORT,)


def _ask(connection: Connection, metric: str) -> list[float]:
    """The values of all chips, or cores."""
    question = MetricRequest(metric_name=metric).SerializeToString()
    answer = MetricResponse.FromString(connection.call(_METHOD, question, _SECONDS))
    gauges = [each.gauge for each in answer.metric.metrics if each.HasField("gauge")]
    return [each.as_double if each.WhichOneof("value") == "as_double" else float(each.as_int) for each in gauges]


def _sum(values: list[float]) -> int | None:
    return round(sum(values)) if values else None
