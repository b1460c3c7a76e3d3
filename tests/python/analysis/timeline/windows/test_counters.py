"""Counters in windows: no extreme is lost, and what held when the window began is told."""

import base64
import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.timeline.windows.counters import counter_window
from scopelight.model.slices import Counter, CounterValues, Once


def counter_of(values):
    at_ps = np.array([at for at, _ in values], np.int64)
    value = np.array([v for _, v in values], float)
    return Counter("c", 0, "c", "W", len(values), Once(lambda: CounterValues(at_ps, value)))


def points_of(record):
    return np.frombuffer(base64.b64decode(record.packed), "<f8").reshape(3, record.points).T.tolist()


values = st.lists(
    st.tuples(st.integers(0, 300), st.one_of(st.integers(-9, 9), st.sampled_from((math.nan, math.inf, -math.inf)))),
    max_size=60,
).map(lambda pairs: sorted(pairs, key=lambda pair: pair[0]))


@given(values=values, start_ps=st.integers(-20, 300), length_ps=st.integers(1, 400), width_px=st.integers(1, 50))
def test_every_value_lies_between_the_least_and_greatest_of_its_point(values, start_ps, length_ps, width_px):
    record = counter_window(counter_of(values), start_ps, start_ps + length_ps, width_px)
    points = points_of(record)
    known = [(at, value) for at, value in values if math.isfinite(value)]
    assert len(points) <= width_px + 1
    assert [point[0] for point in points] == sorted({point[0] for point in points})
    before = [pair for pair in values if pair[0] <= start_ps][-1:]
    told = before + [pair for pair in values if start_ps < pair[0] < start_ps + length_ps]
    assert bool(points) == any(math.isfinite(value) for _, value in told)
    for place, (begin, least, greatest) in enumerate(points):
        end = points[place + 1][0] if place + 1 < len(points) else float("inf")
        mine = [value for at, value in told if begin <= at - start_ps < end and math.isfinite(value)]
        assert (min(mine), max(mine)) == (least, greatest) if mine else math.isnan(least) and math.isnan(greatest)
    pixel_ps = -(-length_ps // width_px)
    for at_ps in range(start_ps, start_ps + length_ps, pixel_ps):
        held = [value for at, value in told if at <= at_ps][-1:]
        in_pixel = [value for at, value in told if at_ps <= at < at_ps + pixel_ps and math.isfinite(value)]
        drawn = [point for point in points if point[0] <= at_ps - start_ps][-1:]
        if held and math.isfinite(held[0]):
            assert drawn[0][1] <= held[0] <= drawn[0][2]
        elif not in_pixel:
            assert not drawn or math.isnan(drawn[0][1])
    if known:
        assert (record.least, record.greatest) == (min(v for _, v in known), max(v for _, v in known))


def test_a_counter_without_a_number_has_no_point():
    record = counter_window(counter_of([(3, float("nan"))]), 0, 10, 10)
    assert (record.points, record.least, record.greatest, record.unit) == (0, 0, 0, "W")


def test_what_is_unknown_is_not_drawn_as_the_value_before():
    record = counter_window(counter_of([(0, 5), (40, math.nan), (70, math.inf), (80, 2)]), 0, 100, 10)
    (first, gap, last) = points_of(record)
    assert first == [0, 5, 5]
    assert gap[0] == 40
    assert all(math.isnan(each) for each in gap[1:])
    assert last == [80, 2, 2]
