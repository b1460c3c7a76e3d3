import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.report.numbers import (
    bar,
    byte_rate,
    byte_size,
    count,
    duration,
    flop_rate,
    flops,
    level_bar,
    share,
    whole_share,
)


@pytest.mark.parametrize(
    ("time_ps", "text"),
    [
        (0, "0 ps"),
        (0.02, "<1 ps"),
        (999, "999 ps"),
        (1500, "1.50 ns"),
        (999_600, "1.00 µs"),
        (12_345_678, "12.3 µs"),
        (32_400_000_000, "32.4 ms"),
        (123_400_000_000, "123 ms"),
        (5 * 10**12, "5.00 s"),
        (600 * 10**12, "600 s"),
    ],
)
def test_durations_have_three_digits_and_a_unit(time_ps, text):
    assert duration(time_ps) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.0, "0.0 %"), (0.0004, "<0.1 %"), (0.0005, "0.1 %"), (0.0449, "4.5 %"), (0.382, "38.2 %"), (1.0, "100.0 %")],
)
def test_a_share_that_is_not_nothing_is_not_written_as_nothing(ratio, text):
    assert share(ratio) == text


@pytest.mark.parametrize(("ratio", "text"), [(0.0, "0 %"), (0.001, "<1 %"), (0.005, "<1 %"), (0.384, "38 %")])
def test_whole_percents(ratio, text):
    assert whole_share(ratio) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "0.977 KiB"), (65 * 2**20, "65 MiB"), (5 * 2**30, "5 GiB"), (2**40, "1 TiB")],
)
def test_sizes_are_binary(size, text):
    assert byte_size(size) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [(2, "2"), (2.0, "2"), (2.5, "2.5"), (1 / 3, "0.333"), (12_000, "12\u202f000"), (1234.5, "1\u202f234")],
)
def test_counts_are_whole_or_have_three_digits(number, text):
    assert count(number) == text


@pytest.mark.parametrize(
    ("work_flops", "text"),
    [(0, "0 FLOP"), (812, "812 FLOP"), (999_600, "1.00 MFLOP"), (412 * 10**9, "412 GFLOP"), (9 * 10**18, "9.00 EFLOP")],
)
def test_work_has_three_digits_and_a_unit(work_flops, text):
    assert flops(work_flops) == text
    assert flop_rate(work_flops) == f"{text}/s"


def test_a_bandwidth_is_binary():
    assert byte_rate(62 * 2**30) == "62 GiB/s"


def test_a_level_fills_a_cell_for_every_fifth():
    assert [level_bar(ratio).count("▰") for ratio in (0.0, 0.01, 0.2, 0.21, 0.6, 0.61, 1.0, 1.4)] == [
        *(0, 1, 1, 2, 3, 4, 5, 5),
    ]


def test_the_cells_of_a_bar():
    assert [bar(ratio) for ratio in (0.0, 0.001, 0.04, 0.14, 0.16, 0.25, 0.382, 0.64, 0.65, 1.0)] == [
        "▱▱▱▱▱",
        "▰▱▱▱▱",
        "▰▱▱▱▱",
        "▰▰▱▱▱",
        "▰▰▱▱▱",
        "▰▰▰▱▱",
        "▰▰▰▰▱",
        "▰▰▰▰▱",
        "▰▰▰▰▰",
        "▰▰▰▰▰",
    ]


@given(st.floats(0, 1), st.floats(0, 1))
def test_a_greater_share_never_has_a_shorter_bar(one, other):
    lesser, greater = sorted((one, other))
    assert bar(lesser).count("▰") <= bar(greater).count("▰")
    assert len(bar(lesser)) == 5
