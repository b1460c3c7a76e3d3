import attrs
import numpy as np
import pytest

from made.findings import codes
from made.profiles import SCALAR, module, profile
from scopelight.analysis.monitoring.reading import read_job
from scopelight.model.profile import StepMarks

MS = 10**9


def job(*, feeds=False, devices=1):
    """Ten steps of 10 ms, of which a program runs 6 ms on every device; with an infeed its first op waits for it."""
    runs = [(0, step * 10 * MS, 6 * MS, device) for device in range(devices) for step in range(10)]
    marks = StepMarks("train", np.arange(10), np.arange(10) * 10 * MS, np.full(10, 9 * MS))
    made = profile([module("jit_step", "1", [SCALAR], [SCALAR])], runs, marks=(marks,))
    if feeds:
        ops = [attrs.evolve(made.executions.ops[0], name="infeed.3"), *made.executions.ops[1:]]
        made = attrs.evolve(made, executions=attrs.evolve(made.executions, ops=tuple(ops)))
    return made


@pytest.mark.parametrize("devices", [1, 2])
def test_how_far_devices_are_used_and_how_long_steps_take(devices):
    reading = read_job(job(devices=devices), "a:1", 5, 2)
    assert (reading.address, reading.time_ns, reading.device_type, reading.cores) == ("a:1", 5, "cpu", devices)
    assert reading.utilisation_ratio == pytest.approx(0.6, abs=0.03)
    assert reading.idle_ratio == pytest.approx(1 - reading.utilisation_ratio)
    assert (reading.step_min_ps, reading.step_avg_ps, reading.step_max_ps) == (10 * MS, 10 * MS, 10 * MS)
    assert reading.infeed_avg_ratio is None
    assert codes(reading.findings) == ["monitor-without-infeed"]


def test_the_share_of_steps_that_an_infeed_is_waited_for():
    reading = read_job(job(feeds=True), "a:1", 5, 2)
    # The first of four ops of 1.5 ms each, in a step of 10 ms.
    assert reading.infeed_avg_ratio == pytest.approx(0.15, abs=0.02)
    assert reading.infeed_min_ratio <= reading.infeed_avg_ratio <= reading.infeed_max_ratio


def test_level_1_is_utilisation_alone():
    reading = read_job(job(feeds=True), "a:1", 5, 1)
    assert reading.utilisation_ratio == pytest.approx(0.6, abs=0.03)
    assert (reading.idle_ratio, reading.step_avg_ps, reading.infeed_avg_ratio) == (None, None, None)


def test_nothing_is_known_where_nothing_ran():
    idle = job()
    nothing = attrs.evolve(
        idle.executions,
        **{
            each: getattr(idle.executions, each)[:0]
            for each in ("op", "device", "run", "lane", "start_ps", "duration_ps", "self_ps")
        },
    )
    reading = read_job(attrs.evolve(idle, executions=nothing), "a:1", 5, 2)
    assert reading.utilisation_ratio is None
    assert codes(reading.findings) == ["monitor-nothing-ran"]
