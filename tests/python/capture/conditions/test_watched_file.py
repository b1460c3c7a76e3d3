"""What a file asks for that is watched."""

import pytest

from made.findings import values
from scopelight.capture.conditions.watched_file import Asked, WatchedFile


@pytest.fixture
def file(tmp_path):
    return tmp_path / "ask.json"


def test_what_it_says_before_is_no_change(file):
    file.write_text('{"steps": 5}')
    assert WatchedFile(file).look() is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ('{"steps": 5}', Asked(steps=5)),
        ('{"seconds": 2}', Asked(seconds=2.0)),
        ('{"capture": true}', Asked()),
        ('{"capture": false}', None),
        ("", None),
    ],
)
def test_a_change_asks_once(file, text, asked):
    watched = WatchedFile(file)
    file.write_text(text)
    assert watched.look() == asked
    assert watched.look() is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"stpes": 3}', "stpes is unknown, and steps is nearest to it."),
        ('{"steps": 0}', "steps is no number above 0."),
        ('{"steps": true}', "steps is no number above 0."),
        ('{"steps": 2.5}', "steps is no number above 0."),
        ('{"seconds": "2"}', "seconds is no number above 0."),
        ('{"steps": 1, "seconds": 1}', "steps and seconds exclude each other."),
        ("[5]", "it is no object"),
        ("{", "it is no JSON"),
        ("[" * 60_000, "it is no JSON"),
    ],
)
def test_what_is_not_understood_is_said(file, text, why):
    watched = WatchedFile(file)
    file.write_text(text)
    assert values([watched.look()], "watched-file-unclear")["problem"].startswith(why)
