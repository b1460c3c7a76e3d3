"""Files that change while they are mapped."""

import os

import pytest

from made.xspace import Line, plane, write
from scopelight.formats.errors import FormatError
from scopelight.formats.mapped import map_file
from scopelight.formats.xspace.reader import read_xspace

EVENTS = 5_000


@pytest.fixture
def file(tmp_path):
    events = tuple((f"op.{number}", 20 * number, 10, number) for number in range(EVENTS))
    return write(tmp_path / "a.xplane.pb", plane("/device:TPU:0", Line("XLA Ops", events), stats=(("clock", 7),)))


QUESTIONS = {
    "events": lambda space: space.planes[0].lines[0].events(),
    "timed": lambda space: space.planes[0].lines[0].timed(),
    "span": lambda space: space.planes[0].lines[0].span(64),
    "one event": lambda space: space.planes[0].lines[0].event_stats(EVENTS - 1),
    "a name": lambda space: space.planes[0].events_metadata.text(EVENTS - 1),
    "all names": lambda space: space.planes[0].events_metadata.names,
    "what events share": lambda space: space.planes[0].events_metadata.stats(EVENTS - 1),
    "a plane's stats": lambda space: space.planes[0].stats,
}


@pytest.mark.parametrize("length_bytes", [0, 100])
@pytest.mark.parametrize("question", QUESTIONS)
def test_what_was_cut_short_is_refused_before_it_is_read(question, length_bytes, file):
    space = read_xspace(file)
    QUESTIONS[question](read_xspace(file))
    os.truncate(file, length_bytes)
    with pytest.raises(FormatError, match=r"a\.xplane\.pb is not a readable profile: it became shorter while it was"):
        QUESTIONS[question](space)


def test_columns_of_stats_are_refused_too(file):
    events = read_xspace(file).planes[0].lines[0].events()
    values, _ = events.integer_stats(["value"])["value"]
    assert values.tolist() == list(range(EVENTS))
    os.truncate(file, 100)
    for read in (
        lambda: events.integer_stats(["value"]),
        events.first_numbers,
        lambda: events.text_stat("value"),
        lambda: events.stats(EVENTS - 1),
    ):
        with pytest.raises(FormatError, match="wait until it is written whole"):
            read()


def test_what_took_the_place_of_a_file_or_was_added_to_it_leaves_it_as_it_was(file):
    space = read_xspace(file)
    before = space.planes[0].lines[0].timed()
    with file.open("ab") as more:
        more.write(b"\0" * 100)
    other = file.with_name("other")
    other.write_bytes(b"")
    other.replace(file)
    assert [each.tolist() for each in space.planes[0].lines[0].timed()] == [each.tolist() for each in before]


def test_pages_that_were_let_go_come_back(file):
    mapped = map_file(file, "profile")
    before = bytes(mapped.bytes)
    mapped.forget_pages(10, len(before))
    assert bytes(mapped.bytes) == before
