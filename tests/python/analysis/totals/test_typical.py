"""What a step typically has: single steps that have far too much do not count."""

import numpy as np
import pytest

from scopelight.analysis.totals.typical import typical


@pytest.mark.parametrize(
    ("steps", "expected"),
    [([], 0), ([4], 4), ([4, 8], 6), ([1, 2, 6], 3), ([1, 4, 6, 1000], 5), ([0, 5, 5, 5, 5, 7, 5, 1000], 5)],
)
def test_the_quarters_at_both_ends_are_left_out(steps, expected):
    assert typical(np.array([steps], dtype=np.int64)).tolist() == [expected]
