"""The search: against looking at every event of real profiles one by one."""

import numpy as np
import pytest

from made.findings import codes
from made.recorded import FILE_OF_BACKEND
from scopelight.analysis.timeline.events.arguments import argument_text
from scopelight.analysis.timeline.records import TimelineMatcher
from scopelight.analysis.timeline.search import search as search_module
from scopelight.analysis.timeline.search.names import NameIndices
from scopelight.analysis.timeline.search.search import Search
from scopelight.analysis.timeline.timeline import open_timeline


@pytest.fixture(scope="module")
def timelines(shared_data):
    return {name: open_timeline(shared_data / path) for name, path in FILE_OF_BACKEND.items()}


def searched(timeline, ops=None, **matcher):
    found = Search(timeline, TimelineMatcher(**matcher), NameIndices(timeline.slices.names), ops)
    while found.record(0, None).searched_ratio < 1:
        found.advance(None, 10)
    return found


def hits(timeline, matches):
    """(start, place of the track, number) of every event that matches, in order."""
    found = []
    for place, track in enumerate(timeline.tracks):
        lane = track.lane()
        for number, (name, start) in enumerate(zip(lane.name.tolist(), lane.start_ps.tolist(), strict=True)):
            if matches(track, name, number):
                found.append((start, place, number))
    return sorted(found)


def by_name(timeline, test):
    names = timeline.slices.names
    matching = {name for name in range(len(names)) if test(names.text(name)) or test(names.shown(name))}
    return hits(timeline, lambda _track, name, _number: name in matching)


@pytest.mark.parametrize("file", FILE_OF_BACKEND)
@pytest.mark.parametrize(
    ("text", "regex", "test"),
    [
        ("copy", False, lambda text: "copy" in text.lower()),
        ("Copy", False, lambda text: "Copy" in text),
        ("^(?:mem|copy)", True, lambda text: text.lower().startswith(("mem", "copy"))),
        ("e", False, lambda text: "e" in text.lower()),
        ("no such thing", False, lambda _: False),
    ],
)
def test_every_hit_is_counted_and_can_be_reached(timelines, file, text, regex, test):
    timeline = timelines[file]
    expected = by_name(timeline, test)
    search = searched(timeline, text=text, regex=regex)
    record = search.record(0, None)
    assert record.count == len(expected) == sum(record.tracks.values()) == sum(record.marks)
    assert record.failure is None
    assert codes(record) == []
    places = {track.id: place for place, track in enumerate(timeline.tracks)}
    for ordinal in sorted({0, 1, len(expected) // 2, len(expected) - 1} & set(range(len(expected)))):
        place = search.event(ordinal, None)
        assert (place.start_ps, places[place.track], place.event) == expected[ordinal]
    with pytest.raises(LookupError, match="none of the number"):
        search.event(len(expected), None)


def test_the_ordinal_is_of_the_first_hit_from_a_time_on(timelines):
    timeline = timelines["amd"]
    expected = by_name(timeline, lambda text: "conv" in text.lower())
    search = searched(timeline, text="conv")
    starts = [start for start, _, _ in expected]
    for at in {starts[0], starts[0] + 1, starts[len(starts) // 2], starts[-1], 0}:
        assert search.record(at, None).ordinal == int(np.searchsorted(starts, at))
    assert search.record(starts[-1] + 1, None).ordinal == 0


def test_tracks_can_be_chosen(timelines):
    timeline = timelines["tpu"]
    chosen = [track.id for track in timeline.tracks if "XLA Ops" in track.id]
    whole, some = searched(timeline, text="fusion").record(0, None), searched(timeline, text="fusion")
    of_chosen = {track: count for track, count in whole.tracks.items() if track in chosen}
    assert some.record(0, chosen).tracks == of_chosen
    assert some.record(0, chosen).count == sum(of_chosen.values()) == sum(some.record(0, chosen).marks)
    assert some.event(0, chosen).track in chosen


@pytest.fixture(scope="module")
def arguments(timelines):
    """Names and values of every event's arguments, by file, track and number."""

    def texts(stats):
        return [*stats, *(argument_text(value) for value in stats.values() if not isinstance(value, bytes))]

    return {
        file: {
            track.id: [texts(track.stored.arguments(number)) for number in range(len(track.lane()))]
            for track in timeline.tracks
        }
        for file, timeline in timelines.items()
    }


@pytest.mark.parametrize("file", FILE_OF_BACKEND)
@pytest.mark.parametrize(
    ("text", "regex", "test"),
    [
        ("f32[", False, lambda text: "f32[" in text.lower()),
        ("12", False, lambda text: "12" in text),
        (r"^\d{3}$", True, lambda text: text.isdigit() and len(text) == 3),
        ("correlation", False, lambda text: "correlation" in text.lower()),
    ],
)
def test_arguments_are_searched_by_name_and_value(timelines, arguments, file, text, regex, test):
    timeline = timelines[file]
    names = timeline.slices.names

    def matches(track, name, number):
        if test(names.text(name)) or test(names.shown(name)):
            return True
        return any(map(test, arguments[file][track.id][number]))

    expected = hits(timeline, matches)
    search = searched(timeline, text=text, regex=regex, arguments=True)
    record = search.record(0, None)
    assert record.count == len(expected) == sum(record.marks)
    if expected:
        assert search.event(len(expected) // 2, None).start_ps == expected[len(expected) // 2][0]


def test_a_search_goes_on_from_where_it_was(timelines):
    timeline = timelines["nvidia"]
    search = Search(timeline, TimelineMatcher(text="0", arguments=True), NameIndices(timeline.slices.names))
    assert search.record(0, None).searched_ratio == 0
    ratios, counts = [], []
    while not ratios or ratios[-1] < 1:
        search.advance(None, 0)
        record = search.record(0, None)
        ratios.append(record.searched_ratio)
        counts.append(record.count)
        assert len(ratios) < 10_000
    assert ratios == sorted(ratios)
    assert counts == sorted(counts)
    assert len(set(ratios)) > 3
    assert counts[-1] == searched(timeline, text="0", arguments=True).record(0, None).count


def test_what_takes_too_long_is_said(timelines, monkeypatch):
    monkeypatch.setattr(search_module, "MOST_ARGUMENT_SECONDS", 0.02)
    record = searched(timelines["nvidia"], text=r"(a|b)*c{900}", regex=True, arguments=True).record(0, None)
    assert record.searched_ratio == 1
    assert codes(record) == ["arguments-not-all-searched"]


def test_a_faulty_expression_fails_in_a_sentence(timelines):
    record = searched(timelines["amd"], text="(", regex=True).record(0, None)
    assert record.count == 0
    assert record.failure.startswith("The regular expression is not understood")
    assert searched(timelines["amd"], text="").record(0, None).count == 0


def test_windows_count_the_same_hits(timelines):
    timeline = timelines["tpu"]
    search = searched(timeline, text="fusion")
    for track in timeline.tracks:
        before = search.matches.before(track)
        assert before[-1] == search.record(0, [track.id]).count
