"""Steps that wait for their input in bursts are captured for several of them, however few were asked for."""

import sys

import numpy as np
import pytest

from made.findings import codes, values
from made.host.idle_truth import IdleTruth, printed
from scopelight.analysis.host.input.view import input_record
from scopelight.model.spans import Spans
from scopelight.source.workspace import line_options

STEPS = 5
BURST = 8
"""Steps of a shard."""
READ_PS = 120_000_000_000
POINTS = 0.03
"""By how much the share of the steps that waits for input may be off in the window."""
POINTS_OF_THE_SCRIPT = 0.15
"""The same of the whole script: the first and the last burst of the window are not whole."""


def test_a_window_holds_several_bursts_and_their_waiting(capture_host):
    captured = capture_host("bursts", "reads_shards", sys.executable, "--steps", str(STEPS))
    truth = IdleTruth.of(captured.directory, captured.clock)
    found = input_record(truth.profile, line_options(truth.profile))
    assert found.step_count >= 3 * BURST
    assert found.step_count == captured.run["window"]["steps"] == captured.run["window"]["complete_steps"]
    assert captured.run["options"]["steps"] == STEPS
    inner, _ = truth.truth_of(truth.main_thread)
    assert found.input_ratio == pytest.approx(_waiting_ps(inner, truth) / found.wall_ps, abs=POINTS), printed(truth)
    assert found.input_ratio == pytest.approx(_ratio_of_the_script(truth), abs=POINTS_OF_THE_SCRIPT)
    assert "window-of-bursts" in codes(found, "note")
    assert values(found, "window-of-bursts")["burst_ps"] >= READ_PS


def _waiting_ps(by_line, truth):
    return sum(by_line[truth.place(each)] for each in ("read", "draw", "reads"))


def _ratio_of_the_script(truth):
    """From its second shard, as the first steps compile, to its last."""
    main = truth.threads[truth.main_thread]
    reads_ps = [
        start for start, place in zip(main.start_ps.tolist(), main.inner, strict=True) if place == truth.place("read")
    ]
    span = Spans(np.array(reads_ps[1:2]), np.array([reads_ps[-1] - reads_ps[1]]))
    inner, _ = main.within(span)
    return _waiting_ps(inner, truth) / int(span.duration_ps.sum())
