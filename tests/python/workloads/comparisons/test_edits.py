"""Runs of one script before and after an edit: what pairs, what is left over, and that sums stay exact."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scopelight.analysis.compare.tables.op import kind_of_row
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.views.comparing import compare_paths
from scopelight.views.opening import open_subject

EXAMPLES = ("decoder.py", "optimizer.py", "transformer.py")
GROUPINGS = ("line", "op", "scope", "step", "memory", "shape")
PYTHONS = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, project):
    folder = tmp_path_factory.mktemp("edits")
    for name in EXAMPLES:
        shutil.copy(project / "daemon" / "examples" / name, folder / name)
    return folder


def capture(folder: Path, name: str, *options: str) -> Path:
    command = [sys.executable, "-m", "scopelight.cli.main", "run", "--no-calibration", "--out", f"runs/{name}"]
    subprocess.run([*command, *options, "transformer.py"], cwd=folder, check=True, capture_output=True, timeout=300)
    return folder / "runs" / name


@pytest.fixture(scope="module")
def runs(folder):
    """By what was done to it, a run of the decoder example."""
    found = {"first": capture(folder, "first")}
    for name in ("transformer.py", "decoder.py"):
        (folder / name).write_text("# A comment above everything.\n" + (folder / name).read_text())
    found["commented"] = capture(folder, "commented")
    script = folder / "transformer.py"
    script.write_text(re.sub(r"\b128\b", "256", script.read_text()))
    found["wide"] = capture(folder, "wide")
    return found


def compared(runs, before, after, by="line"):
    return compare_paths([runs[before]], [runs[after]], by, runs[before].parent.parent)


def assert_exact(record):
    """Before + change = after, in each row and in the whole, and the rows sum to that."""
    for unit in ("ps", "bytes"):
        for row in (*record.rows, record.totals):
            before, change, after = (getattr(row, f"{side}_{unit}") for side in ("before", "change", "after"))
            assert (before or 0) + (change or 0) == (after or 0)
        for side in ("before", "change", "after"):
            of_rows = [getattr(row, f"{side}_{unit}") for row in record.rows]
            assert sum(each or 0 for each in of_rows) == (getattr(record.totals, f"{side}_{unit}") or 0)
    totals = record.totals
    if totals.before_ps is not None:
        assert totals.paired_before_ps + totals.only_before_ps == totals.before_ps
        assert totals.paired_after_ps + totals.only_after_ps == totals.after_ps
    assert len({row.key for row in record.rows}) == len(record.rows)


@pytest.mark.parametrize("by", GROUPINGS)
@pytest.mark.parametrize("after", ["commented", "wide"])
def test_sums_are_exact_in_every_grouping(runs, by, after):
    record = compared(runs, "first", after, by)
    assert record.rows
    assert_exact(record)


def test_all_time_is_paired_when_a_comment_is_inserted(runs):
    for by in ("line", "op", "memory"):
        record = compared(runs, "first", "commented", by)
        assert record.totals.paired_ratio == 1
    lines = [row for row in compared(runs, "first", "commented").rows if row.kind == "line"]
    moved = {row.path: row.line - row.before_line for row in lines}
    assert moved["decoder.py"] == 1
    assert moved["transformer.py"] == 1
    assert {row.paired_by for row in lines} == {"text"}


def test_nothing_exact_changes_with_a_comment(runs):
    record = compared(runs, "first", "commented")
    exact = {each.name: each.verdict for each in record.quantities if each.kind == "exact"}
    assert set(exact.values()) == {"same"}
    assert {"flops", "bytes", "ops", "compilations", "planned-peak"} <= exact.keys()
    # One run each says nothing of what is noisy.
    assert {row.verdict for row in record.rows} == {"cannot-tell"}
    assert {each.verdict for each in record.quantities if each.kind == "noisy"} == {"cannot-tell"}


def test_nearly_all_time_is_paired_when_the_width_is_doubled(runs):
    assert compared(runs, "commented", "wide").totals.paired_ratio >= 0.95
    assert compared(runs, "commented", "wide", "op").totals.paired_ratio >= 0.95
    exact = {each.name: each.verdict for each in compared(runs, "commented", "wide").quantities}
    assert (exact["flops"], exact["planned-peak"], exact["compilations"]) == ("worse", "worse", "same")


@pytest.mark.parametrize("python", PYTHONS)
def test_ops_of_another_jax_pair_with_their_kind_alone(runs, folder, python):
    name = f"python-{PYTHONS.index(python)}"
    runs[name] = runs[name] if name in runs else capture(folder, name, "--python", python)
    record = compared(runs, "wide", name, "op")
    assert_exact(record)
    kinds = [
        {row.key: kind_of_row(row) for row in ops(open_subject(runs[each], folder), OpsOptions()).rows}
        for each in ("wide", name)
    ]
    paired = [row for row in record.rows if row.before_key is not None and row.after_key is not None]
    assert len(paired) > 100
    for row in paired:
        assert kinds[0][row.before_key] == kinds[1][row.after_key]
    assert compared(runs, "wide", name).totals.paired_ratio >= 0.95
