"""Limits as they are written in a file of budgets: ``160``, ``0.1``, ``"20 %"``."""

import math
import re
from fractions import Fraction
from typing import Final

from scopelight.analysis.budgets.kinds import BudgetKind

_PERCENT: Final = re.compile(r"([+-]?[0-9]{1,12}(?:\.[0-9]{1,12})?)\s*%")
_MOST_DIGITS: Final = 9
_MOST: Final = 10**15
"""Of the file's unit; nothing that budgets are of is greater."""


def limit_of(kind: BudgetKind, value: object) -> Fraction | None:
    """The limit in the unit of its kind; None where the value is no such limit."""
    limit = _number(kind, value)
    if limit is None or abs(limit) > _MOST:
        return None
    if kind.is_share and not 0 <= limit <= 1:
        return None
    if not kind.compares and limit < 0:
        return None
    if kind.unit == "count" and limit.denominator != 1:
        return None
    return limit * kind.written


def _number(kind: BudgetKind, value: object) -> Fraction | None:
    if isinstance(value, str):
        percent = _PERCENT.fullmatch(value.strip()) if kind.unit == "ratio" else None
        return Fraction(percent.group(1)) / 100 if percent else None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    # What is written as 0.1 is a tenth, and not the binary number next to it.
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def written_limit(kind: BudgetKind, limit: Fraction) -> str:
    """A limit as a value of TOML, rounded up to three significant digits so that what it was made of is within it."""
    number = limit / kind.written
    if kind.unit == "count":
        return str(math.ceil(number))
    if kind.unit == "ratio":
        return f'"{_rounded_up(number * 100)} %"'
    return _rounded_up(number)


def _rounded_up(number: Fraction) -> str:
    if number <= 0:
        return "0"
    digits = min(_MOST_DIGITS, max(0, 2 - math.floor(math.log10(number))))
    scaled = Fraction(math.ceil(number * 10**digits), 10**digits)
    text = f"{float(scaled):.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
