"""Sizes that were edited: written fewer times than when they were recorded."""

import pytest

from scopelight.source.sizes.edited import edited_sizes

RECORDED = ["HIDDEN = 520", "OUT = 64", "w = ones((HIDDEN, OUT))", "seed = 64"]


def edited(*present):
    return edited_sizes([(RECORDED, present)])


@pytest.mark.parametrize(
    "present",
    [
        RECORDED,
        [*RECORDED, "more = 520"],
        RECORDED[::-1],
        ["HIDDEN = 5_20  # of 64", *RECORDED[1:]],
        ["HIDDEN = int(520)", *RECORDED[1:]],
    ],
)
def test_numbers_that_are_there_or_moved_are_not_edited(present):
    assert edited(*present) == frozenset()


@pytest.mark.parametrize("line", ["HIDDEN = 640", "HIDDEN = 640  # was 520", "HIDDEN = 520.0", "HIDDEN = '520'", ""])
def test_a_number_that_is_not_there_any_more_is_edited(line):
    assert edited(line, *RECORDED[1:]) == {520}


def test_one_of_several_is_edited_too():
    assert edited(*RECORDED[:3], "seed = 65") == {64}


def test_a_number_may_move_to_another_file():
    assert edited_sizes([(RECORDED, RECORDED[1:]), ([""], RECORDED[:1])]) == frozenset()


def test_numbers_that_no_size_has_are_not_read():
    assert edited_sizes([(["x = " + "9" * 100_000], [""])]) == frozenset()
