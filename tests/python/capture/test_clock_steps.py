"""A clock that is set while a trace runs is said: jax's profiler dates events by it, and loses some."""

import attrs
import pytest

from scopelight.capture.clock_steps import clock_steps
from scopelight.capture.conducting.nothing import why_no_program
from scopelight.capture.failures import Exit
from scopelight.model.run.information import RunInformation, TraceCost

UNDISTURBED = TraceCost(
    seconds=10.0, started=1000.0, stopped=1010.0, start_seconds=0.01, stop_seconds=0.1, bytes=1, compiles=0
)


def ending_at(stopped):
    return attrs.evolve(UNDISTURBED, stopped=stopped)


@pytest.mark.parametrize(
    ("stopped", "said"),
    [
        ([1010.0], []),
        ([1010.009, 1009.991], []),  # As time services slow down and speed up.
        ([1008.0, 1010.0], [("clock-set-back", 2.0)]),
        ([1013.0, 1011.0], [("clock-set-forward", 3.0)]),
        ([1009.5, 1008.5, 1010.25], [("clock-set-back", 1.5), ("clock-set-forward", 0.25)]),
    ],
)
def test_the_largest_step_each_way_is_said(stopped, said):
    found = list(clock_steps(ending_at(each) for each in stopped))
    assert [(each.code, each.values["moved_s"]) for each in found] == [
        (code, pytest.approx(seconds)) for code, seconds in said
    ]


def test_a_trace_without_programs_is_not_blamed_on_the_script_where_the_clock_was_set_back():
    run = RunInformation(probes=(ending_at(1009.0),))
    failure = why_no_program(run, 0)
    assert failure.exit_code == Exit.NOT_TRACED
    assert "was set back" in failure.sentence
    assert "ran no program" in why_no_program(RunInformation(probes=(UNDISTURBED,)), 0).sentence


def test_a_run_during_which_the_clock_was_set_says_so(bench):
    # The agent reads the clock as the script does.
    bench.write(
        "script.py",
        """
        import time
        import jax, jax.numpy as jnp
        step = jax.jit(lambda x: jnp.tanh(x @ x))
        x = jnp.ones((100, 100))
        for _ in range(20):
            x = step(x).block_until_ready()
        real = time.time
        time.time = lambda: real() - 2
        """,
    )
    captured = bench.capture("script.py")
    (found,) = [each for each in captured.run["findings"] if each["code"].startswith("clock-set")]
    assert (found["code"], found["values"]["moved_s"]) == ("clock-set-back", pytest.approx(2.0, abs=0.05))
