"""``compare``: what is judged is named, sums of what is left out are of the rows' unit, and faults name their run."""

import json
import re
import shutil

import attrs
import pytest

from agents.conftest import Agent
from scopelight.views import comparing


@pytest.fixture
def told(monkeypatch):
    """Have rows of a comparison say something else; those of the workspace's runs are of one run each."""
    compare_runs = comparing.compare_runs

    def tell(**fields):
        def compared(*given):
            record = compare_runs(*given)
            return attrs.evolve(record, rows=tuple(attrs.evolve(each, **fields) for each in record.rows))

        monkeypatch.setattr(comparing, "compare_runs", compared)

    return tell


def row_of(text, name):
    return next(line for line in text.splitlines() if line.startswith(name))


TIMES = {"before_ps": 10_000_000_000, "after_ps": 6_270_000_000, "change_ps": -3_730_000_000, "change_ratio": -0.373}


def test_the_change_of_cpu_time_is_named_beside_that_of_the_wall_clock(agent, told):
    told(**TIMES, judged_by="cpu-time", judged_change_ratio=0.15, verdict="worse")
    row = row_of(agent.ask("compare", before="first", after="second"), "network.py:5")
    assert re.search(r"\(−3\.73.ms, −37.%; CPU time \+15.%\)", row), row
    assert "more (CPU time)" in row


def test_a_change_of_the_wall_clock_is_that_of_the_values_beside_it(agent, told):
    told(**TIMES, judged_by="wall-clock", judged_change_ratio=0.15, verdict="cannot-tell")
    row = row_of(agent.ask("compare", before="first", after="second"), "network.py:5")
    assert re.search(r"\(−3\.73.ms, −37.%\)", row), row
    assert "15" not in row


def test_flops_that_changed_are_told_where_no_time_can_be(agent, told):
    told(**TIMES, judged_by="wall-clock", verdict="cannot-tell", before_flops=200.0, after_flops=300.0)
    text = agent.ask("compare", before="first", after="second")
    assert re.search(r"; FLOPs \+50.%; ", row_of(text, "network.py:5")), text
    told(**TIMES, judged_by="wall-clock", verdict="cannot-tell", before_flops=200.0, after_flops=200.0)
    assert "FLOPs" not in row_of(agent.ask("compare", before="first", after="second"), "network.py:5")


def test_a_line_whose_flops_changed_is_asked_for_before_one_that_may_have_changed(agent, monkeypatch):
    compare_runs = comparing.compare_runs

    def last_does_more(*given):
        record = compare_runs(*given)
        *others, last = (each for each in record.rows if each.kind == "line" and each.line is not None)
        rows = [attrs.evolve(each, verdict="cannot-tell", before_flops=1.0, after_flops=1.0) for each in others]
        return attrs.evolve(
            record, rows=(*rows, attrs.evolve(last, verdict="same", before_flops=200.0, after_flops=300.0))
        )

    monkeypatch.setattr(comparing, "compare_runs", last_does_more)
    text = agent.ask("compare", before="first", after="second", limit=50)
    (row,) = (line for line in text.splitlines() if "FLOPs +50" in line)
    assert f'line="{row.split()[0]}"' in text.splitlines()[-1]
    (told,) = (
        each
        for each in json.loads(agent.ask("compare", before="first", after="second", limit=50, format="json"))["rows"]
        if each["before_flops"] != each["after_flops"]
    )
    assert (told["before_flops"], told["after_flops"]) == (200.0, 300.0)


def test_what_surely_changed_is_shown_whatever_the_limit_is(agent, told, monkeypatch):
    told(**TIMES, verdict="cannot-tell", before_flops=1.0, after_flops=1.0)
    compare_runs = comparing.compare_runs

    def last_is_worse(*given):
        record = compare_runs(*given)
        *others, last = record.rows
        return attrs.evolve(record, rows=(*others, attrs.evolve(last, verdict="worse")))

    monkeypatch.setattr(comparing, "compare_runs", last_is_worse)
    whole = json.loads(agent.ask("compare", before="first", after="second", format="json"))
    (row,) = json.loads(agent.ask("compare", before="first", after="second", limit=1, format="json"))["rows"]
    assert row["verdict"] == "worse"
    assert row == whole["rows"][0]
    assert whole["rows_in_all"] == len(whole["rows"]) + whole.get("left_out", {}).get("rows", 0)
    text = agent.ask("compare", before="first", after="second", limit=1)
    left = whole["rows_in_all"] - 1
    assert f"{left} more rows, which changed by \N{MINUS SIGN}{3.73 * left:.3g}" in text


def test_what_is_left_out_of_memory_is_in_bytes(agent):
    text = agent.ask("compare", before="first", after="second", by="memory", limit=1)
    left_out = row_of(text, re.search(r"\d+ more", text)[0])
    assert "changed by 0 B" in left_out
    assert " ps" not in left_out
    assert "(exact)" in text
    assert "by exact" not in text


def test_a_run_that_cannot_be_read_is_named_whichever_side_it_is(workspace, tmp_path):
    folder = tmp_path / "project"
    shutil.copytree(workspace, folder)
    for file in (folder / ".scopelight" / "second").rglob("*.xplane.pb"):
        file.write_bytes(b"nothing of the kind")
    agent = Agent(folder)
    for sides in ({"before": "first", "after": "second"}, {"before": "second", "after": "first"}):
        assert agent.error("compare", **sides).startswith("second cannot be read: ")
    assert agent.error("sql", run="first", more_runs=["second"], query="select 1 from ops").startswith("second cannot")


def test_our_sentence_of_an_error_is_no_quotation(agent):
    text = agent.error("memory_at_peak", program="zzz do what I say")
    assert text.startswith('program: The profile holds no program "zzz do what I say": there is ')
