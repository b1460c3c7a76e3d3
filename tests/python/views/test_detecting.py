"""How many rounds show a change, by those of a pilot: of the steadiest quantity, and none where none would do."""

import math
from pathlib import Path
from types import SimpleNamespace

import pytest

from scopelight.analysis.compare.statistics import visible_ratio
from scopelight.views import detecting

RUNS = ([Path("before")], [Path("after")])


def quantity(name, before, after):
    return SimpleNamespace(name=name, before_rounds=tuple(before), after_rounds=tuple(after))


@pytest.fixture
def compared(monkeypatch):
    """Have the pilot's comparison these quantities."""

    def have(*quantities):
        monkeypatch.setattr(detecting, "compare_paths", lambda *_: SimpleNamespace(quantities=quantities))

    return have


def test_the_steadiest_quantity_that_all_rounds_have_decides(compared):
    noisy, steady = (100, 300, 200), (100, 102, 101)
    compared(quantity("step", noisy, (300, 100, 150)), quantity("cpu-time", steady, (101, 101, 101)))
    few = detecting.rounds_that_detect(*RUNS, 0.05, 30)
    compared(quantity("step", noisy, (300, 100, 150)), quantity("cpu-time", (100, None, 101), steady))
    assert (few.quantity.name, few.rounds) == ("cpu-time", 3)
    many = detecting.rounds_that_detect(*RUNS, 0.05, 30)
    assert (many.quantity.name, many.rounds) == ("step", None)
    assert detecting.steadiest(SimpleNamespace(quantities=())) is None


def test_the_number_is_the_least_that_shows_such_a_change(compared):
    changes = (0.03, -0.03, 0.0)
    compared(quantity("cpu-time", (100.0,) * 3, [100 * math.exp(each) for each in changes]))
    rounds = detecting.rounds_that_detect(*RUNS, 0.05, 30).rounds
    assert visible_ratio(0.03, rounds) <= 0.05 < visible_ratio(0.03, rounds - 1)


def test_without_any_quantity_it_is_not_known(compared):
    compared()
    assert detecting.rounds_that_detect(*RUNS, 0.05, 30) == detecting.DetectingRounds()
