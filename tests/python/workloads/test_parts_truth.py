"""A script that ends before its window does is captured in several traces, which tell of it as one would."""

import pytest

from made.host.idle_truth import IdleTruth, printed
from scopelight.analysis.host.input.view import input_record
from scopelight.analysis.host.threads.view import host_record
from scopelight.analysis.timeline.timeline import open_timeline
from scopelight.analysis.timeline.tracks.derived import derive
from scopelight.analysis.totals.waiting.launching import launching_threads
from scopelight.source.workspace import line_options
from workloads.test_idle_truth import MOST_UNATTRIBUTED, PYTHONS, is_exact, version_of

MORE_STEPS_THAN_THERE_ARE = "1000"
LEAST_STEPS = 150
"""Of 200, those that lie between two traces are lost."""
POINTS = 0.03
POINTS_OF_SAMPLES = 0.05
"""By how much the share of the steps that waits for input may be off. Before the window samples are few."""


of_each_python = pytest.mark.parametrize("python", PYTHONS, ids=version_of)


@pytest.fixture(scope="module")
def truth_in_parts(capture_host):
    """``truth_in_parts(python)``: a run beside its truth, captured once."""
    kept = {}

    def made(python):
        if python not in kept:
            options = ("--steps", MORE_STEPS_THAN_THERE_ARE, "--skip", "0")
            name = f"parts-{version_of(python)}"
            captured = capture_host(name, "slow_loader", python, *options, ends="itself")
            assert len(list(captured.directory.glob("plugins/profile/*/*.xplane.pb"))) > 1
            kept[python] = IdleTruth.of(captured.directory, captured.clock)
        return kept[python]

    return made


@of_each_python
def test_a_thread_of_all_traces_is_one(truth_in_parts, python):
    profile = truth_in_parts(python).profile
    (launching,) = launching_threads(profile)[0]
    threads = [each for each in host_record(profile).threads if each.name == "MainThread"]
    assert [each.line_id for each in threads] == [str(launching.line_id)]
    assert threads[0].basis == ("exact" if is_exact(python) else "estimated")
    timeline = open_timeline(profile.path)
    tracks = timeline.completed(profile, derive(timeline.slices, profile)).tracks
    assert [each.name for each in tracks if each.kind == "lines"] == ["Lines of MainThread"]


@of_each_python
def test_the_share_of_the_steps_that_waits_for_input_is_that_of_the_clock(truth_in_parts, python):
    truth = truth_in_parts(python)
    assert len(truth.steps.start_ps) >= LEAST_STEPS
    found = input_record(truth.profile, line_options(truth.profile))
    inner, _ = truth.truth_of(truth.main_thread)
    true_ratio = inner[truth.place("load")] / found.wall_ps
    assert true_ratio > 0.1, "else there is nothing to see"
    points = POINTS if is_exact(python) else POINTS_OF_SAMPLES
    assert found.input_ratio == pytest.approx(true_ratio, abs=points), printed(truth)
    assert truth.record.idle_classes["input"] > 0.5 * truth.idle_ps
    assert truth.unattributed_ratio <= MOST_UNATTRIBUTED, printed(truth)
