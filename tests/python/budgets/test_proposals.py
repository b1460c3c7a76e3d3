"""Which budgets a run is offered, and with what headroom."""

from fractions import Fraction
from pathlib import Path

import pytest

from scopelight.analysis.budgets.measured import Measured, exact
from scopelight.budgets import proposals as proposing
from scopelight.findings import warning


@pytest.fixture
def taken(monkeypatch):
    """What a run took, by the name of the budget; nothing of the rest."""
    known = {}

    class Measuring:
        def __init__(self, subject, folder):
            pass

        def measure(self, budget):
            return known.get(budget.name, warning("budget-without-steps"))

    monkeypatch.setattr(proposing, "Measuring", Measuring)
    return known


def share(value):
    return Measured(Fraction(value), None, None, "noisy", "measured", ())


def offered():
    return {each.budget.name: each.limit for each in proposing.proposals(None, Path("/w"), "train.py", "step")}


@pytest.mark.parametrize("value", ["1", "0.95", "0.91"])
def test_a_share_that_cannot_break_is_not_offered(taken, value):
    """With its headroom it would be all there is, and nothing has more."""
    taken["share"] = share(value)
    assert "share" not in offered()


def test_a_share_has_headroom(taken):
    taken["share"] = share("0.5")
    assert offered()["share"] == '"55 %"'


def test_what_is_counted_has_none(taken):
    taken["compilations"] = exact(1, "counted")
    assert offered()["compilations"] == "1"
