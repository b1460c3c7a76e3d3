"""The time of each op stands on the line that was written down for it by hand, in expected.json."""

import json
from collections import Counter
from pathlib import Path

import pytest

import scopelight
from made.flame import inclusive_of_lines

WORKLOADS = Path(__file__).resolve().parents[2] / "workloads"
EXPECTED = json.loads((WORKLOADS / "expected.json").read_text())
# Of the lines that make the arrays, once: on a busy machine any op of theirs may take 2 % of the time.
ARRAYS = {("arrays", category) for category in ("loop fusion", "copy", "while", "call")}
PHASES = ("forward_ps", "backward_ps", "recompute_ps", "optimizer_ps", "other_ps")


def marked_lines() -> dict[tuple[str, int], str]:
    """The name in each ``# line: NAME`` comment, by file and line."""
    return {
        (str(path.relative_to(WORKLOADS)), number): text.split("# line: ")[1].strip()
        for path in sorted(WORKLOADS.rglob("*.py"))
        for number, text in enumerate(path.read_text().splitlines(), 1)
        if "# line: " in text
    }


MARKED = marked_lines()


@pytest.mark.parametrize("name", EXPECTED)
def test_every_long_op_is_on_its_line(workload, name):
    expected = EXPECTED[name]
    allowed = {(line, category) for line, categories in expected["lines"].items() for category in categories}
    allowed |= ARRAYS | {(line, each) for line, categories in expected.get("also", {}).items() for each in categories}
    captured = workload(name)
    for (_, op), places in captured.long_ops().items():
        for path, line, _, category, executions in places:
            if path is None:
                # XLA's copies of what a program was given keep no source; one of every step is to be written down.
                is_once = category == "copy" and executions < len(captured.lines["steps"])
                assert is_once or "unattributed" in expected, f"{op} ({category}) is on no line"
                continue
            mark = MARKED.get((path, line))
            assert (mark, category) in allowed, f"{op} ({category}) is on {path}:{line}"


@pytest.mark.parametrize("name", EXPECTED)
def test_every_expected_line_has_time(workload, name):
    captured = workload(name)
    self_ps = {MARKED.get((each["path"], each["line"])): each["self_ps"] for each in captured.lines["lines"]}
    for line in EXPECTED[name]["lines"]:
        assert self_ps.get(line, 0) >= 0.02 * captured.lines["op_time_ps"], f"{line} has too little time"


@pytest.mark.parametrize("name", [each for each in EXPECTED if "hottest" in EXPECTED[each]])
def test_the_ops_of_the_hottest_line_have_most_of_the_wall_clock(workload, name):
    # Devices may wait for another line longer, as where programs are compiled.
    first = max(workload(name).lines["lines"], key=lambda each: each["wall_ps"])
    assert MARKED[first["path"], first["line"]] == EXPECTED[name]["hottest"]


@pytest.mark.parametrize("name", EXPECTED)
def test_parts_sum_to_the_whole_to_the_picosecond(workload, name):
    record = workload(name).lines
    lines = record["lines"]
    assert sum(each["self_ps"] for each in lines) == record["attributed_ps"]
    assert record["attributed_ps"] + record["unattributed_ps"] == record["op_time_ps"] > 0
    assert sum(each["self_ps"] for each in record["unattributed_ops"]) == record["unattributed_ps"]
    assert sum(each["op_time_ps"] for each in record["devices"]) == record["op_time_ps"]
    wall, per_step = record["wall"], [each["per_step_ps"] or 0 for each in lines]
    assert wall["busy_ps"] + wall["stalled_ps"] + wall["idle_ps"] == wall["wall_ps"]
    of_lines = sum(each["wall_ps"] for each in lines) + record["unattributed_wall_ps"]
    assert of_lines + wall["idle_ps"] == wall["wall_ps"]
    assert [each["share_ratio"] for each in lines] == sorted((each["share_ratio"] for each in lines), reverse=True)
    assert per_step == sorted(per_step, reverse=True)
    for each in lines:
        assert sum(each[phase] for phase in PHASES) == each["self_ps"]
        assert sum(op["self_ps"] for op in each["ops"]) == each["self_ps"]
        assert each["self_ps"] <= each["inclusive_ps"] <= record["op_time_ps"]


def test_recomputation_is_told_from_the_forward_pass(workload):
    by_mark = {MARKED.get((each["path"], each["line"])): each for each in workload("remat_scan").lines["lines"]}
    assert by_mark["sine"]["recompute_ps"] > 0
    assert by_mark["sine"]["forward_ps"] > 0
    assert by_mark["up"]["recompute_ps"] > 0
    # The layer's result is not needed again, so its last product is not made again.
    assert by_mark["down"]["recompute_ps"] == 0
    products = Counter()
    for op in by_mark["down"]["ops"]:
        products[op["phase"]] += op["executions"] * (op["primitive"] == "dot_general")
    assert products["backward"] == 2 * products["forward"] > 0


def test_a_fusion_across_two_files_is_divided_and_says_so(workload):
    by_mark = {MARKED.get((each["path"], each["line"])): each for each in workload("two_files").lines["lines"]}
    assert by_mark["sines"]["path"] != by_mark["sum"]["path"]
    for each in (by_mark["sines"], by_mark["sum"]):
        assert each["ops"][0]["shared"]
    assert by_mark["sines"]["self_ps"] > 5 * by_mark["sum"]["self_ps"]


def test_the_four_forced_devices_are_told_apart(workload):
    devices = workload("sharded").lines["devices"]
    assert len(devices) == 4
    assert len({each["ordinal"] for each in devices}) == 4
    # Each device has a quarter of the rows.
    whole = sum(each["op_time_ps"] for each in devices)
    assert all(each["op_time_ps"] > whole / 12 for each in devices)


def test_a_script_that_raises_keeps_its_profile_and_its_exit_code(workload):
    captured = workload("raises")
    assert captured.exit_code == 1
    assert "RuntimeError: the disk is full" in captured.messages
    assert captured.lines["lines"]


@pytest.mark.parametrize("name", EXPECTED)
def test_stacks_sum_to_the_op_time_and_have_the_inclusive_times_of_lines(workload, name):
    captured = workload(name)
    record = scopelight.open(captured.directory, roots=(str(WORKLOADS),)).flame()
    assert sum(row.self_ps for row in record.rows) == record.op_time_ps == captured.lines["op_time_ps"] > 0
    assert inclusive_of_lines(record) == {
        (line["file"] or line["path"], line["line"]): line["inclusive_ps"]
        for line in captured.lines["lines"]
        if line["inclusive_ps"]
    }
