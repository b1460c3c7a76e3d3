"""Student's t distribution for whole degrees of freedom, by its finite series (Abramowitz and Stegun, 26.7.3-4)."""

import functools
import math

_STEPS = 200
"""Halvings of an interval: more than a float can tell apart."""


def within_ratio(t: float, degrees: int) -> float:
    """The probability that a value lies within ``t`` of 0 on either side."""
    angle = math.atan2(abs(t), math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    if degrees % 2:
        term, series = cosine, 0.0
        for number in range(1, degrees - 1, 2):
            series += term
            term *= cosine * cosine * (number + 1) / (number + 2)
        return 2 / math.pi * (angle + sine * series)
    term, series = 1.0, 0.0
    for number in range(0, degrees - 1, 2):
        series += term
        term *= cosine * cosine * (number + 1) / (number + 2)
    return sine * series


@functools.cache
def quantile(probability: float, degrees: int) -> float:
    """The value below which the ``probability``, of at least one half, lies."""
    within = 2 * probability - 1
    low, high = 0.0, 1.0
    while within_ratio(high, degrees) < within:
        low, high = high, 2 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if within_ratio(middle, degrees) < within else (low, middle)
    return (low + high) / 2
