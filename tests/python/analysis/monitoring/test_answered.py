import pytest

from scopelight.analysis.monitoring.answered import answered_reading

SAID = {
    "response_type": 3,
    "device_idle_time_percent": 12.5,
    "matrix_unit_utilization_percent": 40.0,
    "step_time_ms_avg": 2.0,
    "step_time_ms_min": 1.5,
    "step_time_ms_max": 4.0,
    "infeed_percent_avg": 10.0,
    "infeed_percent_max": 30.0,
}


def test_all_that_a_service_says_at_level_2():
    reading = answered_reading(SAID, "tpu:8466", 7, 2)
    assert (reading.utilisation_ratio, reading.utilisation_basis) == (0.4, "matrix-unit")
    assert reading.idle_ratio == 0.125
    assert (reading.step_min_ps, reading.step_avg_ps, reading.step_max_ps) == (1.5e9, 2e9, 4e9)
    assert reading.infeed_min_ratio == 0
    assert (reading.infeed_avg_ratio, reading.infeed_max_ratio) == pytest.approx((0.1, 0.3))


@pytest.mark.parametrize(("kind", "level"), [(3, 1), (1, 2)])
def test_what_was_not_asked_for_or_not_said_is_unknown(kind, level):
    reading = answered_reading({**SAID, "response_type": kind}, "tpu:8466", 7, level)
    assert reading.utilisation_ratio == 0.4
    assert (reading.idle_ratio, reading.step_avg_ps, reading.infeed_avg_ratio) == (None, None, None)
