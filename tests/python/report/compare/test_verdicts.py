"""What is said of changes: signs, digits, and what would have been seen."""

import pytest

from scopelight.analysis.compare.records import ComparedQuantity, ComparedRow
from scopelight.report.compare.verdicts import (
    change_of_row,
    quantity_change,
    quantity_verdict,
    row_verdict,
    signed,
    value_of_row,
)


def quantity(**fields):
    given = {
        "name": "flops",
        "kind": "exact",
        "unit": "flops",
        "before": 1000.0,
        "after": 1001.0,
        "change": 1.0,
        "change_ratio": 0.001,
        "verdict": "worse",
    }
    return ComparedQuantity(**given | fields)


def row(**fields):
    given = {
        "key": "k",
        "kind": "line",
        "label": "step",
        "path": "train.py",
        "file": "/a/train.py",
        "line": 3,
        "function": "step",
        "before_key": "k",
        "after_key": "k",
        "before_path": "train.py",
        "before_line": 3,
        "paired_by": "text",
        "verdict": "same",
        "judged_by": "device-time",
        "before_ps": 10**9,
        "after_ps": 1_100_000_000,
        "change_ps": 10**8,
        "change_ratio": 0.1,
    }
    return ComparedRow(**given | fields)


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(0.1234, "+12 %"), (-0.032, "−3.2 %"), (0.0, "0.0 %"), (1e-6, "+<0.1 %"), (10.94, "+1 094 %"), (None, "")],
)
def test_a_change_has_its_sign_and_two_digits(ratio, said):
    assert signed(ratio).replace("\N{NARROW NO-BREAK SPACE}", " ") == said


def test_one_unit_of_what_is_exact_is_told_in_its_unit():
    assert quantity_change(quantity()) == "+1 FLOP (+0.1 %)"
    assert quantity_change(quantity(after=1000.0, change=0.0, change_ratio=0.0, verdict="same")) == "none"
    assert quantity_verdict(quantity()) == "more"


def test_what_has_no_counterpart_is_new_or_gone():
    assert row_verdict(row(verdict="only-after")) == "new"
    assert row_verdict(row(verdict="only-before")) == "gone"


def test_no_change_says_which_would_have_been_seen():
    assert row_verdict(row(visible_ratio=0.09)) == "no change seen; 9.0 % would have been"
    noisy = row(verdict="cannot-tell", visible_ratio=0.7)
    assert row_verdict(noisy) == "cannot tell; 70 % would have been seen"
    assert row_verdict(row(verdict="cannot-tell")) == "cannot tell"
    hopeless = row(verdict="cannot-tell", visible_ratio=1935.28)
    assert row_verdict(hopeless) == "cannot tell; nothing below 500 % would have been seen"


def test_times_and_bytes_have_their_units():
    assert (value_of_row(row(), "before"), change_of_row(row()), value_of_row(row(), "after")) == (
        "1.00 ms",
        "+100 µs",
        "1.10 ms",
    )
    planned = row(
        before_ps=None, after_ps=None, change_ps=None, before_bytes=2048, after_bytes=1024, change_bytes=-1024
    )
    assert (value_of_row(planned, "before"), change_of_row(planned)) == ("2 KiB", "−1 KiB")
    assert value_of_row(row(before_ps=None), "before") == ""
