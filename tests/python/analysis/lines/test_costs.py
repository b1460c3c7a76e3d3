"""Costs of lines: what of their ops' time padding can have cost."""

import pytest

from made.costs import costs, dimension, op_row, padding_row
from made.records import line, record

S = 10**12
HALF = (dimension(8, 8, 8, "batch"), dimension(64, 128, 128, "contracting"), dimension(128, 128, 128))


def lost(*, flop, bandwidth, **changes):
    """What of 1 s of an op is lost to padding, and what of its work is none: half the matrix unit is empty."""
    row = op_row(S, flop_utilisation_ratio=flop, bandwidth_utilisation_ratio=bandwidth)
    found = costs(record((line("train.py", 57, S),)), [row], padding_row(*HALF, **changes)).padding(0)
    assert found.used_ratio == 0.5
    return found.lost_ratio


@pytest.mark.parametrize(
    ("flop", "bandwidth", "expected"),
    [
        (0.4, 0.1, 0.5),
        (None, 0.1, 0.5),
        (0.4, None, 0.5),
        # With all of the unit filled its memory is the limit: 0.6 of the time that the padded product takes.
        (0.4, 0.48, 0.4),
        # Padded or not, the product takes less than what the op moves.
        (0.08, 0.61, 0.0),
        # However much it computes, what it moves takes so long.
        (None, 0.7, 0.3),
        # Faster than memory is: that did not limit it.
        (0.4, 1.5, 0.5),
    ],
)
def test_what_padding_of_a_product_cost_is_bounded_by_what_the_op_moves(flop, bandwidth, expected):
    assert lost(flop=flop, bandwidth=bandwidth) == pytest.approx(expected)


def test_padding_of_an_array_is_moved():
    assert lost(flop=0.08, bandwidth=0.61, basis="layout", extra_bytes=64) == 0.5
