"""What paired rounds tell, against scipy's paired test and numpy's simulations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scopelight.analysis.compare.statistics import (
    MOST_FALSE_RATIO,
    evidence,
    moderated,
    of_changes,
    rounds_needed,
    significant,
    visible_ratio,
)

BEFORE = [10.0, 11.0, 9.5, 10.2, 10.4]
AFTER = [11.1, 12.4, 10.3, 11.2, 11.9]


def test_the_evidence_is_that_of_a_paired_test_of_logarithms():
    found = evidence(BEFORE, AFTER)
    expected = stats.ttest_rel(np.log(AFTER), np.log(BEFORE))
    low, high = expected.confidence_interval(0.95)
    assert found.p_ratio == pytest.approx(expected.pvalue, rel=1e-9)
    assert found.interval == pytest.approx((math.expm1(low), math.expm1(high)), rel=1e-9)
    assert found.change == pytest.approx(np.mean(np.log(AFTER) - np.log(BEFORE)))


def test_a_control_takes_out_what_happened_to_all():
    common = [math.log(2), math.log(0.5), math.log(1.3), 0.0, math.log(1.1)]
    shifted = [each * math.exp(shift) for each, shift in zip(AFTER, common, strict=True)]
    found, plain = evidence(BEFORE, shifted, common), evidence(BEFORE, AFTER)
    assert (found.change, found.spread) == pytest.approx((plain.change, plain.spread))


def test_one_round_or_nothing_in_a_round_is_no_evidence():
    assert evidence([1.0], [2.0]) is None
    assert evidence([1.0, 0.0], [2.0, 1.0]) is None
    assert evidence([1.0, 1.0], [2.0, 0.0]) is None


def test_rounds_without_any_spread_are_sure():
    assert evidence([1.0, 1.0], [1.5, 1.5]).p_ratio == 0
    assert evidence([1.0, 1.0], [1.0, 1.0]).p_ratio == 1


def test_the_visible_change_is_seen_four_times_of_five():
    rounds, spread = 5, 0.03
    change = math.log1p(visible_ratio(spread, rounds))
    generator = np.random.default_rng(7)
    changes = generator.normal(change, spread, (4000, rounds))
    p = stats.ttest_1samp(changes, 0, axis=1).pvalue
    # The formula is an approximation of the noncentral distribution.
    assert np.mean(p < 0.05) == pytest.approx(0.8, abs=0.06)


@given(st.floats(0.001, 0.3), st.floats(0.01, 0.5))
def test_the_rounds_that_are_needed_are_the_fewest(spread, ratio):
    needed = rounds_needed(spread, ratio, 40)
    if needed is None:
        assert visible_ratio(spread, 40) > ratio
        return
    assert visible_ratio(spread, needed) <= ratio
    assert needed == 2 or visible_ratio(spread, needed - 1) > ratio


@given(st.lists(st.floats(0, 1), max_size=30))
def test_significance_is_that_of_benjamini_and_hochberg(p_ratios):
    adjusted = stats.false_discovery_control(p_ratios) if p_ratios else []
    told = significant(p_ratios)
    for is_told, each in zip(told, adjusted, strict=True):
        if abs(each - MOST_FALSE_RATIO) > 1e-12:
            assert is_told == (each <= MOST_FALSE_RATIO)


def test_a_spread_leans_on_those_of_others():
    own, others = of_changes([0.1, 0.1001, 0.0999]), [of_changes([0.0, 0.2, -0.2]), of_changes([0.1, -0.1, 0.0])]
    found = moderated(own, others)
    prior = np.mean([each.spread**2 for each in others])
    assert found.spread**2 == pytest.approx((2 * own.spread**2 + 4 * prior) / 6)
    assert (found.change, found.rounds, found.degrees) == (own.change, 3, 6)
    expected = 2 * stats.t.sf(found.change / found.spread * math.sqrt(3), 6)
    assert found.p_ratio == pytest.approx(expected)
    assert moderated(own, []) == own
