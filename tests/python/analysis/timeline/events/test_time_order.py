"""Events of several tracks in one order, against sorting them all."""

from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scopelight.analysis.timeline.events.time_order import TrackEvents, count_before, some_events

tracks = st.lists(st.lists(st.integers(-5, 30), max_size=12).map(sorted), max_size=5)


@given(tracks, st.data())
def test_any_page_is_that_of_the_sorted_whole(starts, data):
    members, expected = [], []
    for place, each in enumerate(starts):
        start_ps = np.array(each, np.int64)
        if data.draw(st.booleans()):
            numbers = np.array([n for n in range(len(each)) if data.draw(st.booleans())], np.int32)
            member = TrackEvents(SimpleNamespace(id=place), start_ps, numbers)
            chosen = numbers.tolist()
        else:
            first = data.draw(st.integers(0, len(each)))
            beyond = data.draw(st.integers(first, len(each)))
            member = TrackEvents(SimpleNamespace(id=place), start_ps, None, first, beyond)
            chosen = range(first, beyond)
        members.append(member)
        expected.extend((each[n], place, n) for n in chosen)
    expected.sort()
    first, count = data.draw(st.integers(0, 40)), data.draw(st.integers(0, 40))
    found = [(member.track.id, number) for member, number in some_events(members, first, count)]
    assert found == [(place, number) for _, place, number in expected[first : first + count]]
    at = data.draw(st.integers(-6, 31))
    assert count_before(members, at) == sum(start < at for start, _, _ in expected)
