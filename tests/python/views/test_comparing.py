"""What is said of runs that are no evidence of each other, or of nothing."""

import pytest

from made.findings import codes
from made.predictions import SCAN, UNROLLED
from scopelight.views.comparing import compare_paths


def compared(before, after, by="line"):
    return compare_paths(before, after, by, SCAN.parent)


def test_a_run_beside_itself_is_said():
    assert "compared-with-itself" in codes(compared([SCAN], [SCAN]))
    assert "compared-with-itself" not in codes(compared([SCAN], [UNROLLED]))


def test_runs_of_a_side_that_are_of_different_code_are_said():
    (found,) = [
        each for each in compared([SCAN, UNROLLED], [SCAN, SCAN]).findings if each.code == "compared-mixed-runs"
    ]
    assert found.values == {"side": "before", "runs": 2}
    assert "compared-mixed-runs" not in codes(compared([SCAN, SCAN], [UNROLLED, UNROLLED]))


def test_a_run_without_a_partner_is_in_no_mean():
    uneven, even = compared([SCAN, UNROLLED], [UNROLLED]), compared([SCAN], [UNROLLED])
    assert "compared-uneven-rounds" in codes(uneven)
    assert uneven.before.runs == even.before.runs == (str(SCAN),)
    assert uneven.rows == even.rows
    assert uneven.quantities == even.quantities


@pytest.mark.parametrize(("by", "label"), [("scope", "without-scope"), ("line", "unattributed")])
def test_what_has_no_place_is_called_by_what_it_lacks(by, label):
    labels = {row.label for row in compared([SCAN], [UNROLLED], by).rows if row.kind == "rest"}
    assert labels <= {label, "unattributed-waiting"}


def test_an_interval_is_of_what_was_judged():
    for row in compared([SCAN], [UNROLLED]).rows:
        assert row.judged_by == "exact"
        assert (row.interval_ps, row.interval_cpu_ps, row.visible_ps, row.visible_cpu_ps) == (None,) * 4
