"""What `scopelight run` says of a capture."""

import subprocess
import sys

import attrs
import pytest

from scopelight.capture.failures import Exit
from scopelight.cli.announcing import what_was_captured
from scopelight.model.run.information import CaptureWindow, RunInformation, TraceCost, WindowOptions


def traced(*spans):
    return tuple(TraceCost(end - start, start, end, 0.0, 0.0, 0, 0) for start, end in spans)


def test_a_whole_script_that_was_captured_in_parts_is_said_to_lack_what_lies_between():
    """Steps that ran while a trace was being stopped are in none of the parts."""
    whole = RunInformation(window=CaptureWindow(kind="whole", seconds=8.0), probes=traced((0, 4), (4.5, 6), (6.25, 8)))
    assert what_was_captured(whole) == "captured the whole script (8 s) in 3 parts, without 0.75 s between them"


@pytest.mark.parametrize("spans", [(), ((0, 8),), ((0, 4), (4, 8))])
def test_a_script_without_gaps_is_captured_whole(spans):
    whole = RunInformation(window=CaptureWindow(kind="whole", seconds=8.0), probes=traced(*spans))
    assert what_was_captured(whole) == "captured the whole script (8 s)"


def test_of_the_probes_before_a_window_nothing_is_said():
    probes = traced((0, 4), (5, 6))
    window = CaptureWindow(kind="steps", steps=5, complete_steps=5, seconds=1.0)
    run = RunInformation(window=window, probes=probes, pause_seconds=0.02)
    said = "captured 5 complete steps (5 were asked for) (1 s)"
    assert what_was_captured(attrs.evolve(run, pause_seconds=None)) == said
    assert what_was_captured(run) == f"{said}; starting and stopping the trace took 20 ms"


def test_of_steps_in_bursts_more_were_captured_than_were_asked_for():
    window = CaptureWindow(kind="steps", steps=47, complete_steps=47, seconds=0.855)
    run = RunInformation(window=window, options=WindowOptions(steps=5))
    assert what_was_captured(run) == "captured 47 complete steps (5 were asked for) (0.855 s)"


def test_a_script_may_begin_with_a_dash(tmp_path, monkeypatch):
    """It stands after the end of our options, and Python must not take it for one of its own."""
    (tmp_path / "-model.py").write_text("import sys\nprint(sys.argv)\n")
    monkeypatch.chdir(tmp_path)
    command = [sys.executable, "-m", "scopelight.cli.main", "run", "--no-memory", "--", "-model.py", "--epochs", "3"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode == Exit.JAX_NOT_USED, ended.stderr
    assert ended.stdout.splitlines()[0] == str(["./-model.py", "--epochs", "3"])
