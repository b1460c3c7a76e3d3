"""What paired rounds tell, against scipy's paired test and numpy's simulations."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scopelight.analysis.compare.statistics import (
    MOST_FALSE_RATIO,
    Machine,
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


def test_what_happened_to_the_rest_is_taken_out_as_strongly_as_a_quantity_follows_it():
    generator = np.random.default_rng(5)
    before, after = generator.normal(0, 0.3, 6), generator.normal(0.2, 0.3, 6)
    noise = generator.normal(0, 0.01, 12)
    earlier, later = np.exp(1.4 * before + noise[:6]), np.exp(1.4 * after + 0.1 + noise[6:])
    found = evidence(earlier, later, Machine(before, after))
    assert found.change == pytest.approx(0.1, abs=0.02)
    assert found.degrees == 9
    assert found.spread < 0.05
    # Without it the machine is all that there is to see.
    assert evidence(earlier, later).spread > 0.3


def test_the_evidence_beside_the_rest_is_an_analysis_of_covariance():
    generator = np.random.default_rng(6)
    before, after = generator.normal(0, 2, 5), generator.normal(0.5, 2, 5)
    earlier, later = (
        np.exp(before * 0.8 + generator.normal(0, 0.3, 5)),
        np.exp(after * 0.8 + generator.normal(0, 0.3, 5)),
    )
    found = evidence(earlier, later, Machine(before, after))
    # Least squares of the same: a mean of each side, and a slope. The prior of the slope hardly counts here.
    design = np.column_stack((np.repeat([1, 0], 5), np.repeat([0, 1], 5), np.concatenate((before, after))))
    values = np.log(np.concatenate((earlier, later)))
    fitted, (left,), _, _ = np.linalg.lstsq(design, values, rcond=None)
    covariance = np.linalg.inv(design.T @ design) * left / 7
    contrast = np.array([-1, 1, 0])
    assert found.change == pytest.approx(contrast @ fitted, abs=2e-3)
    assert found.spread / math.sqrt(5) == pytest.approx(math.sqrt(contrast @ covariance @ contrast), rel=1e-2)
    assert found.degrees == 7


def test_a_rest_that_never_changed_takes_nothing_out():
    still = Machine([1.0] * 5, [1.0] * 5)
    found, plain = evidence(BEFORE, AFTER, still), evidence(BEFORE, AFTER)
    assert found.change == pytest.approx(plain.change)


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
    assert found.spread**2 == pytest.approx((2 * own.spread**2 + 8 * prior) / 10)
    assert (found.change, found.rounds, found.degrees) == (own.change, 3, 10)
    expected = 2 * stats.t.sf(found.change / found.spread * math.sqrt(3), 10)
    assert found.p_ratio == pytest.approx(expected)
    assert moderated(own, []) == own
