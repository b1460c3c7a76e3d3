"""A step that `jax.pmap` maps over devices has a loop of its own, whatever jax calls its program."""

import pytest

from made.host.idle_truth import IdleTruth, printed
from scopelight.analysis.host.input.view import input_record
from scopelight.source.workspace import line_options
from workloads.test_idle_truth import PYTHONS, steps_of, version_of

POINTS = 0.05
"""By how much the share of the steps that waits for input may be off."""


@pytest.mark.parametrize("python", PYTHONS, ids=version_of)
def test_the_loader_of_a_mapped_step_is_its_input(capture_host, python):
    name = f"mapped-{version_of(python)}"
    captured = capture_host(name, "mapped_loader", python, "--steps", str(steps_of(python)))
    truth = IdleTruth.of(captured.directory, captured.clock)
    found = input_record(truth.profile, line_options(truth.profile))
    inner, _ = truth.truth_of(truth.main_thread)
    true_ratio = inner[truth.place("load")] / found.wall_ps
    assert true_ratio > 0.1, "else there is nothing to see"
    assert found.input_ratio == pytest.approx(true_ratio, abs=POINTS), printed(truth)
    assert found.lines[0].line == truth.place("load")[1]
