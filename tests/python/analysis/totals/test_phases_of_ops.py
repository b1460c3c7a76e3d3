"""Which phase an op is said to belong to, of those that its parts have."""

import pytest

from scopelight.analysis.totals.attribution import greatest_phase
from scopelight.analysis.totals.shares import Share
from scopelight.program.phases.phase import Phase


@pytest.mark.parametrize(
    ("parts", "phase"),
    [
        ([(Phase.FORWARD, 2), (Phase.OPTIMIZER, 1)], Phase.FORWARD),
        # What is fused into an op of the backward pass runs in it, too.
        ([(Phase.FORWARD, 9), (Phase.BACKWARD, 1)], Phase.BACKWARD),
        ([(Phase.FORWARD, 9), (Phase.RECOMPUTE, 2), (Phase.BACKWARD, 1)], Phase.RECOMPUTE),
        ([(Phase.OPTIMIZER, 3), (Phase.BACKWARD, 3)], Phase.OPTIMIZER),
        ([(Phase.OTHER, 1), (Phase.FORWARD, 1)], Phase.FORWARD),
        ([(Phase.OTHER, 2), (Phase.FORWARD, 1)], Phase.OTHER),
        ([(Phase.FORWARD, 1), (Phase.OTHER, 2), (Phase.FORWARD, 1)], Phase.FORWARD),
    ],
)
def test_most_of_an_op_says_its_phase_and_of_equal_parts_the_latest(parts, phase):
    assert greatest_phase([Share((), int(each), weight) for each, weight in parts]) is phase
