"""Buckets for a size that changes, against all ways to choose them."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.programs.buckets import bucket_plans


@given(st.dictionaries(st.integers(1, 200), st.integers(1, 20), min_size=2, max_size=7))
def test_no_choice_of_as_many_bounds_pads_less(times):
    sizes = sorted(times)
    whole = sum(size * count for size, count in times.items())
    for plan in bucket_plans(times, 10, len(sizes)):
        least = min(
            sum(times[size] * next(bound for bound in (*bounds, sizes[-1]) if bound >= size) for size in sizes)
            for bounds in itertools.combinations(sizes[:-1], plan.compiles - 1)
        )
        assert round((plan.padding_ratio + 1) * whole) == least
        assert plan.saved_ps == (len(sizes) - plan.compiles) * 10


def test_one_size_needs_no_bucket():
    assert bucket_plans({32: 5}, None, 1) == ()
