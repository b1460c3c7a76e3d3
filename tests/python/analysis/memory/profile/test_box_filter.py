"""Thinning a curve keeps its peaks."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.memory.profile.box_filter import MOST_SAMPLES, greatest_of_boxes

CURVES = st.lists(st.integers(0, 50), min_size=1, max_size=400)


@given(curve=CURVES, most=st.integers(1, 60))
def test_the_maximum_is_kept_and_every_box_has_its_own(curve, most):
    usage = np.array(curve, dtype=np.int64)
    rows = greatest_of_boxes(usage, most)
    assert len(rows) == min(len(usage), most)
    assert (np.diff(rows) > 0).all()
    # The last of the greatest usages is the peak.
    assert len(usage) - 1 - int(np.argmax(usage[::-1])) in rows.tolist()
    if len(usage) > most:
        width, wider = divmod(len(usage), most)
        widths = [width] * (most - wider) + [width + 1] * wider
        first = 0
        for row, wide in zip(rows.tolist(), widths, strict=True):
            assert first <= row < first + wide
            assert usage[row] == usage[first : first + wide].max()
            first += wide


def test_a_short_curve_is_kept_whole():
    usage = np.arange(MOST_SAMPLES, dtype=np.int64)
    assert (greatest_of_boxes(usage) == usage).all()
    assert len(greatest_of_boxes(np.arange(MOST_SAMPLES + 1, dtype=np.int64))) == MOST_SAMPLES
