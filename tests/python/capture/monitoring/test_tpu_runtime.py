"""What a TPU's runtime tells by itself, asked of a scripted one."""

import pytest

from made.scripted_server import Profiler, ScriptedServer
from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.monitoring.tpu_metrics_pb2 import MetricRequest, MetricResponse
from scopelight.capture.monitoring.tpu_runtime import PORTS_VARIABLE, with_runtime

READING = JobReading("run", 5, device_type="tpu", utilisation_ratio=0.9, utilisation_basis="device-busy")
SAID = {
    "tpu.runtime.tensorcore.dutycycle.percent": [30.0, 50.0],
    "tpu.runtime.hbm.memory.usage.bytes": [3 << 30, 1 << 30],
    "tpu.runtime.hbm.memory.total.bytes": [16 << 30, 16 << 30],
}


def runtime(said):
    """Answers as libtpu: shares as floating point, bytes as whole numbers."""

    def answer(message):
        name = MetricRequest.FromString(message).metric_name
        response = MetricResponse()
        response.metric.name = name
        for value in said.get(name, ()):
            gauge = response.metric.metrics.add().gauge
            if isinstance(value, float):
                gauge.as_double = value
            else:
                gauge.as_int = value
        return response.SerializeToString()

    return Profiler({"GetRuntimeMetric": answer})


def test_the_duty_cycle_of_all_chips_and_their_memory(monkeypatch):
    with ScriptedServer(runtime(SAID)) as server:
        monkeypatch.setenv(PORTS_VARIABLE, str(server.address.port))
        reading = with_runtime(READING)
    assert (reading.utilisation_ratio, reading.utilisation_basis) == (pytest.approx(0.4), "duty-cycle")
    assert (reading.memory_used_bytes, reading.memory_total_bytes) == (4 << 30, 32 << 30)


@pytest.mark.parametrize("answers", [{}, {"GetRuntimeMetric": lambda _: b"\xff\xff\xff"}])
def test_where_it_does_not_answer_the_reading_is_that_of_the_trace(monkeypatch, answers):
    with ScriptedServer(Profiler(answers)) as server:
        monkeypatch.setenv(PORTS_VARIABLE, str(server.address.port))
        assert with_runtime(READING) == READING
    # Nobody listens there any more.
    assert with_runtime(READING) == READING


def test_a_metric_that_the_runtime_does_not_have_is_not_known(monkeypatch):
    with ScriptedServer(runtime({})) as server:
        monkeypatch.setenv(PORTS_VARIABLE, str(server.address.port))
        assert with_runtime(READING) == READING
