"""Student's t distribution, against scipy's."""

import math

import pytest
from scipy import stats

from scopelight.analysis.compare.student import quantile, within_ratio


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 9, 10, 29, 120])
@pytest.mark.parametrize("probability", [0.5, 0.8, 0.9, 0.975, 0.9995])
def test_quantiles_are_those_of_scipy(degrees, probability):
    assert quantile(probability, degrees) == pytest.approx(stats.t.ppf(probability, degrees), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 2, 3, 8, 31])
@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, -2.5, 40.0])
def test_what_lies_within_is_what_scipy_says(degrees, t):
    assert within_ratio(t, degrees) == pytest.approx(2 * stats.t.cdf(abs(t), degrees) - 1, rel=1e-9, abs=1e-12)


def test_what_is_infinitely_far_has_everything_within():
    assert within_ratio(math.inf, 4) == pytest.approx(1)
