"""Advice on scripts that have one trouble each, against what their repaired twins measure.

Callbacks that sleep stand in for devices, so that host and device share no cores.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scopelight.analysis.advice.advice import advice_record
from scopelight.analysis.lines.view import lines
from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.programs.shapes import shapes
from scopelight.analysis.programs.view import programs
from scopelight.views.opening import open_subject

TROUBLES = {
    "slow_loader": ("input-bound", "# line: load"),
    "sync_each_step": ("sync-in-step", "# line: read"),
    "changing_batch": ("recompilation", "# line: step"),
    "no_donation": ("missing-donation", "# line: jit"),
}
CODES = {code for code, _ in TROUBLES.values()}
MOST_OFF = 0.25


@pytest.fixture(scope="module")
def folder(project):
    return project / "tests" / "workloads" / "advice"


def captured(capture, folder, name, *arguments):
    run = capture(f"{name}{''.join(arguments)}", script=[str(folder / f"{name}.py"), *arguments], folder=folder)
    assert run.exit_code == 0, run.messages
    return run


def advised(capture, folder, name, *arguments):
    return advice_record(open_subject(captured(capture, folder, name, *arguments).directory, folder))


def median_step_s(folder, name, *arguments):
    """As the script measures it while nothing captures it."""
    ran = subprocess.run(
        [sys.executable, str(folder / f"{name}.py"), *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return clocked_s(ran.stdout)


def clocked_s(output):
    """The median step by a script's own clock, in the second half of its steps."""
    return json.loads(output.splitlines()[-1])["median_step_s"]


def marked(folder, name, mark):
    lines = Path(folder / f"{name}.py").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if mark in line)


@pytest.mark.parametrize("name", TROUBLES)
def test_the_trouble_is_said_first_on_its_line(capture, folder, name):
    code, mark = TROUBLES[name]
    first = advised(capture, folder, name).findings[0]
    assert (first.code, first.line) == (code, marked(folder, name, mark))
    assert Path(first.file).name == f"{name}.py"


@pytest.mark.parametrize("name", TROUBLES)
def test_nothing_of_it_is_said_of_its_repaired_twin(capture, folder, name):
    found = {each.code for each in advised(capture, folder, name, "--repaired").findings}
    assert found & CODES == set()


@pytest.mark.parametrize("name", ["slow_loader", "sync_each_step", "changing_batch"])
def test_what_it_promises_is_what_the_twin_saves(capture, folder, name):
    promised_s = advised(capture, folder, name).findings[0].saving_per_step_ps / 1e12
    # Compiling takes as long as other work on the machine lets it: by the clock of the same run, behind the capture.
    troubled_s = clocked_s(captured(capture, folder, name).output)
    assert promised_s == pytest.approx(troubled_s - median_step_s(folder, name, "--repaired"), rel=MOST_OFF)


def test_what_begins_when_a_result_is_read_is_named_with_its_line_and_counts_as_no_reading(capture, folder):
    run = captured(capture, folder, "sync_each_step")
    subject = open_subject(run.directory, folder)
    first = advice_record(subject).findings[0]
    assert (first.values["file"], first.values["line"]) == (
        "sync_each_step.py",
        marked(folder, "sync_each_step", "# line: prepare"),
    )
    parts = overview(subject, OverviewOptions()).parts
    assert parts.get("sync", 0) == lines(subject, ScopeOptions("steps")).idle_classes.get("sync", 0)


def test_shapes_has_those_of_each_step(capture, folder):
    run = captured(capture, folder, "changing_batch")
    (family,) = shapes(open_subject(run.directory, folder), NoOptions()).families
    assert (Path(family.file).name, family.line) == (
        "changing_batch.py",
        marked(folder, "changing_batch", "# line: step"),
    )
    sizes = [
        (each.step, int(*re.findall(r"\[(\d+),64\]", family.variants[each.variant].shapes[0].shape)))
        for each in family.iterations
        if each.step is not None
    ]
    assert len(sizes) >= 10
    (begin, first), *_ = sizes
    # Each batch is larger by one than the one before.
    assert sizes == [(begin + at, first + at) for at in range(len(sizes))]


def test_what_may_be_reused_is_named_with_its_size(capture, folder):
    first = advised(capture, folder, "no_donation").findings[0]
    assert first.values["arguments"] == ("weights", "momentum")
    assert first.values["donated_bytes"] == 6 * 512 * 512 * 4


def test_the_memory_that_donation_promises_is_what_the_twin_needs_less(capture, folder):
    first = advised(capture, folder, "no_donation").findings[0]
    peaks = [
        max(
            each.peak_bytes
            for each in programs(open_subject(run.directory, folder), NoOptions()).rows
            if each.function == "train_step" and each.peak_bytes is not None
        )
        for run in (captured(capture, folder, "no_donation"), captured(capture, folder, "no_donation", "--repaired"))
    ]
    assert first.saving_bytes == pytest.approx(peaks[0] - peaks[1], rel=MOST_OFF)
