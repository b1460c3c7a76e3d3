"""The minimap's overview and the ruler's steps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named, profile_of_executions
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.timeline.tracks.overview import PARTS, busy_ratios, steps_record

OP = named("fusion", "loop fusion")


def test_halves_that_are_busy_and_idle_are_seen():
    profile = profile_of_executions(executions_of([(OP, 0, 500_000)]), 1_000_000)
    ratios = busy_ratios(profile, 0)
    assert ratios == (1.0,) * (PARTS // 2) + (0.0,) * (PARTS // 2)


@given(
    st.integers(1, 10**13),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted), min_size=1, max_size=8),
)
def test_the_parts_hold_all_busy_time(duration_ps, spans):
    rows = [(OP, *span) for span in sorted((int(start * duration_ps), int(end * duration_ps)) for start, end in spans)]
    profile = profile_of_executions(executions_of(rows), duration_ps)
    ratios = busy_ratios(profile, 0)
    assert len(ratios) == min(PARTS, duration_ps)
    assert all(0 <= ratio <= 1 for ratio in ratios)
    reach = busy_ps = 0
    for _, start, end in rows:
        busy_ps += max(0, end - max(start, reach))
        reach = max(reach, end)
    # Parts differ by a picosecond in width, and the ratios are rounded.
    assert np.mean(ratios) * duration_ps == pytest.approx(busy_ps, rel=2e-3, abs=len(ratios))


def test_without_time_there_is_no_overview():
    profile = profile_of_executions(executions_of([(OP, 0, 0)]), 0)
    assert busy_ratios(profile, 0) == ()


def test_steps_are_told_with_where_they_are_known_from():
    steps = Steps("repetition", "jit_step", np.array([5, 20]), np.array([15, 10]))
    record = steps_record(steps)
    assert (record.name, record.start_ps, record.duration_ps) == ("jit_step", (5, 20), (15, 10))
    nothing = np.zeros(0, dtype=np.int64)
    assert steps_record(Steps(None, "", nothing, nothing)) is None
