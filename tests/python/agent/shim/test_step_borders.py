"""Where the annotated steps of a script begin, as the shim hears of them."""

import pytest

from scopelight_agent.shim import step_borders
from scopelight_agent.shim.step_borders import LONGEST_WAIT_SECONDS, StepBorders


class Clock:
    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(step_borders.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def heard(clock, *times):
    """Borders that have heard of steps at these times; and what they told."""
    told = []
    borders = StepBorders(lambda: told.append(clock.now))
    for clock.now in times:
        borders.enters()
    return borders, told


def test_a_script_that_annotates_nothing_is_not_waited_for(clock):
    borders, told = heard(clock)
    assert borders.want() == 0
    assert not told


def test_of_the_first_step_it_is_not_known_how_long_it_takes(clock):
    borders, told = heard(clock, 100.0)
    clock.now = 100.5
    assert borders.want() == LONGEST_WAIT_SECONDS
    clock.now = 101.0
    borders.enters()
    assert told == [101.0]


def test_a_step_begins_when_the_cut_is_made(clock):
    cuts = []

    def cut():
        clock.now += 0.3
        cuts.append(clock.now)

    borders = StepBorders(cut)
    for clock.now in (100.0, 100.1):
        borders.enters()
    borders.want()
    clock.now = 100.2
    borders.enters()
    assert cuts == [100.5]
    # The cut is no part of a period.
    clock.now = 100.6
    borders.enters()
    assert borders.want() == pytest.approx(0.2)


def test_the_next_step_is_told_of_once(clock):
    borders, told = heard(clock, 100.0, 100.1)
    clock.now = 100.15
    assert borders.want() == pytest.approx(0.15)
    for clock.now in (100.2, 100.3):
        borders.enters()
    assert told == [100.2]


def test_steps_that_have_ended_are_not_waited_for(clock):
    borders, told = heard(clock, 100.0, 100.1)
    clock.now = 100.5
    assert borders.want() == 0
    borders.enters()
    assert not told


def test_no_step_is_waited_for_longer_than_a_while(clock):
    borders, _ = heard(clock, 100.0, 160.0)
    assert borders.want() == LONGEST_WAIT_SECONDS


def test_what_is_wanted_no_more_is_not_told(clock):
    borders, told = heard(clock, 100.0, 100.1)
    borders.want()
    borders.want_no_more()
    borders.enters()
    assert not told
