"""Steps that come in bursts are told from those that vary."""

import numpy as np
import pytest

from scopelight.analysis.steps.bursts import longest_burst
from scopelight.analysis.steps.steps import Steps
from scopelight.model.spans import Spans

FAST, LONG = 3_000, 60_000


def steps(durations, pause=0):
    """Of these durations, one behind the other, ``pause`` apart."""
    duration = np.array(durations, dtype=np.int64)
    start = np.concatenate(([0], np.cumsum(duration + pause)[:-1])) if len(duration) else duration
    return Steps("repetition", "train", start, duration)


def test_a_burst_lasts_from_one_long_step_to_the_next():
    found = longest_burst(steps([FAST, FAST, LONG] * 4))
    assert found.duration_ps == 2 * FAST + LONG
    assert found.steps == pytest.approx(3)


def test_of_bursts_that_vary_the_longest_counts():
    assert longest_burst(steps([LONG, FAST, LONG, FAST, FAST, FAST, LONG, FAST])).duration_ps == 3 * FAST + LONG


def test_of_one_that_is_not_whole_counts_what_was_seen():
    assert longest_burst(steps([FAST] * 20 + [LONG] + [FAST] * 3)).duration_ps == 20 * FAST + LONG
    assert longest_burst(steps([FAST] * 3 + [LONG] + [FAST] * 30)).duration_ps == 30 * FAST


@pytest.mark.parametrize(
    "durations",
    [
        pytest.param([], id="no steps"),
        pytest.param([FAST] * 50, id="all alike"),
        pytest.param([FAST, 2 * FAST] * 20, id="they vary"),
        pytest.param([FAST] * 50 + [LONG], id="one of many is long"),
        pytest.param(([FAST] * 9 + [4 * FAST]) * 5, id="the long ones hardly count"),
        pytest.param([FAST] * 5 + [LONG] * 50, id="most are long"),
    ],
)
def test_other_steps_make_no_burst(durations):
    assert longest_burst(steps(durations)) is None


def test_what_lies_between_steps_makes_no_burst():
    assert longest_burst(steps([FAST] * 30, pause=LONG)) is None


def test_steps_before_the_last_program_was_compiled_are_not_looked_at():
    made = steps([FAST, LONG, FAST, LONG, *[FAST] * 20])
    compiling = Spans(np.array([0, 2 * FAST + LONG]), np.array([FAST, LONG]))
    assert longest_burst(made) is not None
    assert longest_burst(made, compiling) is None
    assert longest_burst(made, Spans(np.array([10**9]), np.array([1]))) is None
