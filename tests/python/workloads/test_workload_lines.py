"""The time of each op stands on the line that was written down for it by hand, in expected.json."""

import json
from pathlib import Path

import pytest

WORKLOADS = Path(__file__).resolve().parents[2] / "workloads"
EXPECTED = json.loads((WORKLOADS / "expected.json").read_text())
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
    allowed |= {(line, each) for line, categories in expected.get("also", {}).items() for each in categories}
    for (_, op), places in workload(name).long_ops().items():
        for path, line, _, category in places:
            if path is None:
                assert "unattributed" in expected, f"{op} ({category}) is on no line"
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
def test_hottest_line_comes_first(workload, name):
    first = workload(name).lines["lines"][0]
    assert MARKED[first["path"], first["line"]] == EXPECTED[name]["hottest"]


@pytest.mark.parametrize("name", EXPECTED)
def test_parts_sum_to_the_whole_to_the_picosecond(workload, name):
    record = workload(name).lines
    lines = record["lines"]
    assert sum(each["self_ps"] for each in lines) == record["attributed_ps"]
    assert record["attributed_ps"] + record["unattributed_ps"] == record["op_time_ps"] > 0
    assert sum(each["self_ps"] for each in record["unattributed_ops"]) == record["unattributed_ps"]
    assert sum(each["op_time_ps"] for each in record["devices"]) == record["op_time_ps"]
    for each in lines:
        assert sum(each[phase] for phase in PHASES) == each["self_ps"]
        assert sum(op["self_ps"] for op in each["ops"]) == each["self_ps"]
        assert each["self_ps"] <= each["inclusive_ps"] <= record["op_time_ps"]
    assert [each["self_ps"] for each in lines] == sorted((each["self_ps"] for each in lines), reverse=True)


def test_recomputation_is_told_from_the_forward_pass(workload):
    by_mark = {MARKED.get((each["path"], each["line"])): each for each in workload("remat_scan").lines["lines"]}
    assert by_mark["sine"]["recompute_ps"] > 0
    assert by_mark["sine"]["forward_ps"] > 0
    assert by_mark["up"]["recompute_ps"] > 0
    # The layer's result is not needed again, so its last product is not made again.
    assert by_mark["down"]["recompute_ps"] == 0
    assert by_mark["down"]["backward_ps"] > by_mark["down"]["forward_ps"]


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


def test_op_time_is_the_processor_time_of_a_matmul_loop(capture, project):
    """Within 15 %. Other processes inflate op time, not processor time, so the quietest of three runs counts."""
    ratios = []
    for attempt in range(3):
        captured = capture(
            f"matmul_loop_{attempt}",
            "--whole",
            script=["matmul_loop.py"],
            folder=project / "tests" / "workloads",
        )
        inside, truth = captured.steps_inside, captured.truth
        processor_ps = sum(truth["process_stop_ns"][row] - truth["process_start_ns"][row] for row in inside) * 1e3
        products_ps = sum(op["self_ps"] for op in captured.lines["lines"][0]["ops"] if op["executions"] == len(inside))
        ratios.append(products_ps / processor_ps)
        if abs(ratios[-1] - 1) <= 0.15:
            return
    raise AssertionError(f"op time over processor time was {ratios}")
