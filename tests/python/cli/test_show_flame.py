"""``scopelight show flame`` prints the record for people and programs alike."""

import json

import pytest
from click.testing import CliRunner

from made.findings import codes
from made.recorded import PROFILES
from scopelight.cli.main import main

RECORDED = "mi300x-elementwise/tw003.xplane.pb"


def show(path, *options):
    return CliRunner().invoke(main, ["show", "flame", str(path), *options])


@pytest.mark.parametrize("name", PROFILES)
def test_json_has_callers_before_what_they_call_and_sums_to_the_op_time(shared_data, name):
    record = json.loads(show(shared_data / name, "--json").output)
    assert {"op_time_ps", "rows", "findings"} <= record.keys()
    before = set()
    for row in record["rows"]:
        assert {"key", "parent", "function", "path", "line", "self_ps", "inclusive_ps"} <= row.keys()
        assert row["parent"] is None or row["parent"] in before
        before.add(row["key"])
    assert sum(row["self_ps"] for row in record["rows"]) == record["op_time_ps"]
    # What has no op time says why.
    assert bool(record["op_time_ps"]) == (codes(record, "empty") == [])


def test_people_read_a_tree(shared_data):
    heading, _, titles, first, *_ = show(shared_data / RECORDED).output.splitlines()
    assert heading.startswith("3.19 ms of op time by Python stack over 4 complete steps, 797 µs per step")
    assert titles.split() == ["inclusive", "share", "self", "function", "line"]
    assert first.split()[3:7] == ["98.9", "%", "–", "<module>"]


def test_the_largest_rows_are_printed_below_their_callers(shared_data):
    rows = json.loads(show(shared_data / RECORDED, "--json").output)["rows"]
    printed = show(shared_data / RECORDED, "--limit", "3").output
    tree = [line for line in printed.splitlines()[3:] if " % " in line]
    largest = sorted((row["inclusive_ps"] for row in rows), reverse=True)[:3]
    kept = [row for row in rows if row["inclusive_ps"] >= largest[-1]][:3]
    assert [row["function"] in line for row, line in zip(kept, tree, strict=True)] == [True] * 3


def test_what_has_nothing_to_show_says_what_to_do(shared_data):
    result = show(shared_data / "tpu-memory-pprof" / "memory.prof")
    assert result.exit_code == 0
    assert f"`scopelight show memory-profile {shared_data / 'tpu-memory-pprof' / 'memory.prof'}`" in result.output
