"""Idle time is on the lines where the scripts' own clocks saw them stand while the device was idle.

Each script of ``tests/workloads/host`` is captured by each Python: those of SCOPELIGHT_TEST_PYTHONS (`make test-host`
has all versions), else this one and one with line events, a few of the scripts.
"""

import functools
import json
import os
import subprocess
import sys

import pytest

from made.host.idle_truth import ELSEWHERE, IdleTruth, printed
from scopelight_agent.shim.host.sampler import ALONE_NS

STEPS = 20
STEPS_OF_SAMPLES = 80
"""In 20 steps of many of these scripts a device waits for 160 ms, of which a sample every 2 ms sees 80: a line that has
a third of them is off by 4 % of the idle time as often as not."""
SCRIPTS = [
    "slow_loader",
    "read_each_loss",
    "host_work",
    "device_put_large",
    "prefetch_thread",
    "raising_generator",
    "evaluates",
    "checkpoints",
    "cnn_loader",
]
FEW_SCRIPTS = ["slow_loader", "read_each_loss", "prefetch_thread", "cnn_loader"]
MANY_CALLS = {"cnn_loader"}
"""Call functions for each example: those may go dark, and samples are too few to tell their lines apart. What is
looked at is the line of the loop over steps."""
LOADERS = {"torch_loader": "torch", "grain_loader": "grain", "tf_data_loader": "tensorflow"}
"""Scripts whose batches a library makes, and which: what is looked at is the line that asks for the next."""

EXACT = (3, 12)
"""The first version of Python that tells of each line."""
MOST_MISPLACED = 0.01
MOST_MISPLACED_OF_SAMPLES = 0.05
MOST_MISPLACED_OF_FEW_SAMPLES = 0.10
"""Of checkpoints: what is in every fifth step alone has few samples."""
MOST_MEDIAN_OF_SAMPLES = 0.03
MOST_SPARSE = 3.0
"""On a machine with too few cores for it the sampler is late, and asks for less: the border of two lines is known to
half of what lies between two samples. So many times the plain figure is allowed at most, in proportion."""
MOST_UNATTRIBUTED = 0.02
MOST_ELSEWHERE = 0.005
LOADER_POINTS = 0.03

NAMED = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each]
OWN = SCRIPTS if NAMED else FEW_SCRIPTS
"""Scripts that make their batches themselves."""


@functools.cache
def told_of(python):
    """Version and modules of an interpreter; None where it does not start."""
    told = (
        "import importlib.util, json, sys; print(json.dumps([sys.version_info[:2], [each for each in "
        f"{['jax', *LOADERS.values()]} if importlib.util.find_spec(each)]]))"
    )
    try:
        ran = subprocess.run([python, "-c", told], capture_output=True, text=True, check=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return None
    version, modules = json.loads(ran.stdout)
    return tuple(version), modules


def pythons():
    if NAMED:
        return NAMED
    own = [sys.executable]
    if told_of(sys.executable)[0] < EXACT:
        project = __file__.partition("/tests/python/")[0]
        others = [f"{project}/.venv-host-3.12/bin/python", f"{project}/.venv-host-3.13/bin/python", "python3.12"]
        suitable = [each for each in others if (told := told_of(each)) and told[0] >= EXACT and "jax" in told[1]]
        own += suitable[:1] or [None]
    return own


PYTHONS = pythons()


def version_of(python):
    return "none" if python is None else "{}.{}".format(*told_of(python)[0])


@pytest.fixture(scope="session")
def truth_of(capture_host):
    """``truth_of(script, python)``: a run of it beside its truth, captured once."""
    kept = {}

    def made(script, python):
        if python is None:
            pytest.skip("no Python with line events has jax: `make test-host` makes some")
        _, modules = told_of(python)
        if LOADERS.get(script, "jax") not in modules:
            pytest.skip(f"Python {version_of(python)} here has no {LOADERS[script]}")
        if (script, python) not in kept:
            name = f"{script}-{version_of(python)}"
            captured = capture_host(name, script, python, "--steps", str(steps_of(python)))
            kept[script, python] = IdleTruth.of(captured.directory, captured.clock)
        return kept[script, python]

    return made


def each_of(scripts):
    """Each of the scripts by each Python."""
    cases = [(script, python) for python in PYTHONS for script in scripts]
    return pytest.mark.parametrize(
        ("script", "python"), cases, ids=[f"{script}-{version_of(python)}" for script, python in cases]
    )


def is_exact(python):
    """Whether this Python tells of each line; None stands for one that would, and is not here."""
    return python is None or told_of(python)[0] >= EXACT


def steps_of(python):
    return STEPS if is_exact(python) else STEPS_OF_SAMPLES


def most_misplaced(truth, script, python):
    if is_exact(python):
        return MOST_MISPLACED
    of_samples = MOST_MISPLACED_OF_FEW_SAMPLES if script == "checkpoints" else MOST_MISPLACED_OF_SAMPLES
    return of_samples * sparseness(truth)


def sparseness(truth):
    """How many times as far apart as they should be samples are."""
    return min(MOST_SPARSE, max(1.0, truth.sample_gap_ns / ALONE_NS))


@each_of([*OWN, *LOADERS])
def test_the_clock_knows_where_the_script_stood_at_nearly_all_idle_time(truth_of, script, python):
    truth = truth_of(script, python)
    # Some come in bursts, of which several are captured.
    assert len(truth.steps.start_ps) >= steps_of(python)
    by_line, by_loop_line = truth.truth_of(truth.main_thread)
    assert sum(by_line.values()) == sum(by_loop_line.values()) == truth.idle_ps
    assert by_line[ELSEWHERE] <= MOST_ELSEWHERE * truth.idle_ps


@each_of(OWN)
def test_little_idle_time_is_misplaced(truth_of, script, python):
    truth = truth_of(script, python)
    most = most_misplaced(truth, script, python)
    if script not in MANY_CALLS:
        assert truth.by_line.misplaced_ratio <= most, printed(truth)
    assert truth.by_loop_line.misplaced_ratio <= most, printed(truth)


@pytest.mark.parametrize("python", PYTHONS, ids=version_of)
def test_the_median_of_the_misplaced_is_smaller(truth_of, python):
    if is_exact(python):
        pytest.skip("where lines are told of, each is below it")
    scripts = [each for each in OWN if each not in MANY_CALLS]
    truths = [truth_of(script, python) for script in scripts]
    found = sorted(truth.by_line.misplaced_ratio / sparseness(truth) for truth in truths)
    assert found[len(found) // 2] <= MOST_MEDIAN_OF_SAMPLES, found


@each_of([*OWN, *LOADERS])
def test_little_idle_time_is_on_no_line(truth_of, script, python):
    assert truth_of(script, python).unattributed_ratio <= MOST_UNATTRIBUTED, printed(truth_of(script, python))


@each_of([*OWN, *LOADERS])
def test_lines_say_whether_they_were_told_of_or_estimated(truth_of, script, python):
    truth = truth_of(script, python)
    bases = {line.basis for line in truth.record.lines if line.waiting_ps}
    assert bases == ({"exact"} if is_exact(python) else {"estimated"}), printed(truth)


@each_of([*OWN, *LOADERS])
def test_busy_stalled_and_idle_are_the_wall_clock_exactly(truth_of, script, python):
    truth = truth_of(script, python)
    record, devices = truth.record, len(truth.idle)
    for step, idle_ps in zip(record.steps, truth.idle_per_step_ps, strict=True):
        assert step.busy_ps + step.stalled_ps + step.idle_ps == step.duration_ps * devices
        assert sum(step.idle_classes.values()) == step.idle_ps == idle_ps
    assert record.steps_wall_ps == sum(step.duration_ps for step in record.steps) * devices
    assert record.idle_ps == sum(step.idle_ps for step in record.steps) == truth.idle_ps
    assert record.idle_ps == sum(record.idle_classes.values())
    assert record.idle_ps == sum(line.waiting_ps for line in record.lines) + record.unattributed_waiting_ps
    assert all(sum(line.waiting_classes.values()) == line.waiting_ps for line in record.lines)
    with_ops_ps = sum(line.wall_ps for line in record.lines) + record.unattributed_wall_ps
    assert with_ops_ps + record.idle_ps == record.steps_wall_ps


@each_of(LOADERS)
def test_the_wait_for_a_loader_is_on_the_line_that_asks_for_the_next_batch(truth_of, script, python):
    truth = truth_of(script, python)
    asks = truth.place("next")
    true_ratio = truth.by_line.truth_ratio(asks)
    # Else there is nothing to see; how much it is depends on what the machine has left for the device.
    assert true_ratio > 0.1, printed(truth)
    assert abs(truth.by_line.attributed_ratio(asks) - true_ratio) <= LOADER_POINTS, printed(truth)


@each_of(["cnn_loader"])
def test_the_loader_comes_before_the_model(truth_of, script, python):
    truth = truth_of(script, python)

    def is_the_loaders(line):
        # Where the functions that it calls went dark, it is the line that calls them.
        return line.function in {"load_image", "load_batch"} or (line.file, line.line) == truth.place("load")

    loaders = [line.share_ratio for line in truth.record.lines if is_the_loaders(line)]
    others = [line.share_ratio for line in truth.record.lines if not is_the_loaders(line)]
    # How much that is depends on how many cores the machine has left for the model.
    assert sum(loaders) > max(others), printed(truth)
