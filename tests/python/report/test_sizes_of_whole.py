"""Sizes of others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.report.sizes_of_whole import size_of_whole

GIBIBYTE = 1 << 30


@pytest.mark.parametrize(
    ("part_gibibytes", "whole_gibibytes", "said"),
    [
        (91.19, 15.75, "91.2 of 15.75 GiB"),
        (2.06, 95.73, "2.06 of 95.73 GiB"),
        (1 / 64, 15.75, "16 MiB of 15.75 GiB"),
        (1 / 64, 1 / 32, "16 MiB of 32 MiB"),
    ],
)
def test_one_unit_says_both(part_gibibytes, whole_gibibytes, said):
    assert size_of_whole(part_gibibytes * GIBIBYTE, whole_gibibytes * GIBIBYTE) == said


@given(st.integers(1 << 30, 1 << 36), st.sampled_from((7.48, 15.48, 15.75, 30.75, 31.24, 94.74, 95.73)))
def test_what_is_more_than_there_is_never_looks_like_less(part_bytes, whole_gibibytes):
    whole_bytes = round(whole_gibibytes * GIBIBYTE)
    part, whole = map(float, size_of_whole(part_bytes, whole_bytes).removesuffix(" GiB").split(" of "))
    if abs(part_bytes - whole_bytes) > 1 << 20:
        assert (part > whole) == (part_bytes > whole_bytes)
