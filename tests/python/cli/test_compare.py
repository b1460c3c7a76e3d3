"""``scopelight compare``: what is printed, as tables and as JSON, and what is said of what cannot be compared."""

import json
import shutil

import pytest
from click.testing import CliRunner

from made.predictions import SCAN, UNROLLED
from scopelight.cli.main import main


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, run in (("scan", SCAN), ("unrolled", UNROLLED)):
        shutil.copytree(run, tmp_path / name)
    return tmp_path


def printed(*arguments):
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_two_predictions_compare_exactly(here):
    ran = printed("scan", "unrolled")
    assert ran.exit_code == 0, ran.output
    assert "before: " in ran.output
    assert "step, predicted" in ran.output
    assert "cannot tell" not in ran.output
    assert "≈" in ran.output


def test_json_is_the_record_with_null_where_there_is_no_counterpart(here):
    ran = printed("scan", "unrolled", "--by", "op", "--json")
    record = json.loads(ran.output)
    assert {"rows", "totals", "findings", "quantities"} <= record.keys()
    for row in record["rows"]:
        names = ("key", "path", "line", "before_ps", "after_ps", "change_ps", "verdict", "interval_ps")
        assert all(name in row for name in names)
        assert (row["before_ps"] or 0) + row["change_ps"] == (row["after_ps"] or 0)
        assert (row["verdict"] == "only-after") == (row["before_ps"] is None)
    totals = record["totals"]
    assert (
        totals["before_ps"] + totals["change_ps"]
        == totals["after_ps"]
        == sum(row["after_ps"] or 0 for row in record["rows"])
    )


def test_a_run_compared_with_itself_has_changed_in_nothing(here):
    record = json.loads(printed("scan", "scan", "--json").output)
    assert {row["verdict"] for row in record["rows"]} == {"same"}
    assert {each["verdict"] for each in record["quantities"]} == {"same"}
    assert record["totals"]["change_ps"] == 0
    assert record["totals"]["paired_ratio"] == 1


@pytest.mark.parametrize("by", ["line", "op", "scope", "memory", "shape"])
def test_each_grouping_is_printed(here, by):
    ran = printed("scan", "unrolled", "--by", by, "--limit", "3")
    assert ran.exit_code == 0, ran.output
    assert "of it has a counterpart" in ran.output


def test_what_is_no_run_is_said_in_a_sentence(here):
    ran = printed("nothing", "scan")
    assert ran.exit_code == 2
    assert "nothing is no run, no folder of runs and no revision" in ran.output
    shutil.rmtree(here / "unrolled")
    ran = printed("scan")
    assert ran.exit_code == 2
    assert "no other run here to compare with" in ran.output
    (here / "broken").mkdir()
    ran = printed("scan", "broken")
    assert ran.exit_code == 1
    assert "Traceback" not in ran.output
