"""A scripted agent that has the tools alone finds what holds up each script of ``tests/workloads/host``, and where.

What other tests capture it looks at as well: runs are called as there.
"""

import sys

import numpy as np
import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent
from workloads import test_bursts
from workloads.test_idle_truth import FEW_SCRIPTS, PYTHONS, STEPS_OF_SAMPLES, steps_of, told_of, version_of
from workloads.test_input_truth import LIBRARIES, STEPS, pythons

INPUT, TRANSFERS, READING, COLLECTING, PYTHON = (
    f"waits: {what}" for what in ("input", "transfers", "reading results", "garbage collection", "other Python")
)
TROUBLES = {
    "asyncio_loader": {"input-bound": ({"get", "augment"}, {INPUT})},
    "checkpoints": {"periodic-stall": ({"save"}, {PYTHON})},
    "cnn_loader": {"input-bound": ({"crop", "gamma", "noise", "normalize", "image", "stack", "load"}, {INPUT})},
    "device_put_large": {"input-bound": ({"cast", "put", "arrived"}, {INPUT, TRANSFERS})},
    "evaluates": {"periodic-stall": ({"predict"}, {PYTHON})},
    "evaluates_often": {"input-bound": ({"load"}, {INPUT})},
    "grain_loader": {"input-bound": ({"next"}, {INPUT})},
    "grain_processes": {"input-bound": ({"next"}, {INPUT})},
    "host_work": {"input-bound": ({"sort", "loads", "python"}, {INPUT, COLLECTING})},
    "large_items": {"input-bound": ({"get"}, {INPUT})},
    "mapped_loader": {"input-bound": ({"load"}, {INPUT})},
    "pool_of_processes": {"input-bound": ({"result"}, {INPUT})},
    "pool_of_threads": {"input-bound": ({"result"}, {INPUT}), "few-workers": ({"decode"}, None)},
    "prefetch_thread": {"input-bound": ({"get"}, {INPUT}), "few-workers": ({"decode", "augment"}, None)},
    "raising_generator": {"input-bound": ({"read"}, {INPUT})},
    "read_each_loss": {"input-bound": ({"load"}, {INPUT}), "sync-in-step": ({"read"}, {READING})},
    "reads_shards": {"input-bound": ({"read"}, {INPUT}), "periodic-stall": ({"read"}, {INPUT})},
    "shared_lines": {"input-bound": ({"augment"}, {INPUT})},
    "sharded_copies": {"input-bound": ({"put", "arrived"}, {TRANSFERS}), "sync-in-step": ({"read"}, {READING})},
    "slow_loader": {"input-bound": ({"load"}, {INPUT})},
    "tf_data_loader": {"input-bound": ({"next"}, {INPUT})},
    "torch_in_loop": {"input-bound": ({"make", "next"}, {INPUT})},
    "torch_loader": {"input-bound": ({"next"}, {INPUT})},
}
"""By script the findings that say its troubles, each with the names of lines that it may be at, and the causes that the
line may have; without, devices wait at another line for it."""
NAMES = {"mapped_loader": "mapped", "sharded_copies": "copies"}
"""What other tests call the run of a script, without its version."""
EVERY = {"checkpoints": 5, "evaluates": 10}
"""How often comes what is in few steps alone: it takes many of them to be seen."""
MOST_TRIES = 2


def is_undisturbed(run, every):
    """Whether its slow steps are those that the script makes slow, and alike: else the machine did something else."""
    took_ps = np.array([step["duration_ps"] for step in run.lines["steps"]])
    slow = np.flatnonzero(took_ps > 3 * np.median(took_ps))
    return (np.diff(slow) == every).all() and (took_ps[slow] < 2 * np.median(took_ps[slow])).all()


@pytest.fixture
def captured(capture_host, project):
    """``captured(script)``: its run, by a Python that has what it imports."""

    def made(script):
        python = PYTHONS[0]
        if script == "reads_shards":
            return capture_host("bursts", script, sys.executable, "--steps", str(test_bursts.STEPS))
        if script in FEW_SCRIPTS or script in NAMES:
            name = f"{NAMES.get(script, script)}-{version_of(python)}"
            return capture_host(name, script, python, "--steps", str(steps_of(python)))
        if script == "shared_lines":
            return capture_host(
                f"{script}-{version_of(python)}-False", script, python, "--steps", str(steps_of(python))
            )
        wanted = LIBRARIES.get(script, "jax")
        python = next((each for each in [*pythons(project), python] if wanted in told_of(each)[1]), None)
        if python is None:
            pytest.skip(f"no Python of the project has {wanted}: `make test-host` makes some")
        if script not in EVERY:
            return capture_host(f"input-{script}", script, python, "--steps", str(STEPS))
        for number in range(MOST_TRIES):
            run = capture_host(f"{script}-{number}", script, python, "--steps", str(STEPS_OF_SAMPLES))
            if is_undisturbed(run, EVERY[script]):
                break
        return run

    return made


@pytest.mark.parametrize("script", TROUBLES)
def test_the_line_the_cause_and_the_finding_are_found(captured, project, script):
    folder = project / "tests" / "workloads" / "host"
    run = captured(script)
    found = ScriptedAgent(folder, run.directory.parent).investigate_run(run.directory.name)
    source = (folder / f"{script}.py").read_text().splitlines()
    assert found.calls <= MOST_CALLS
    marked = {f"{script}.py:{row}": text.partition("# line: ")[2] for row, text in enumerate(source, 1)}
    for code, (marks, causes) in TROUBLES[script].items():
        if script in EVERY and code not in found.advice and not is_undisturbed(run, EVERY[script]):
            assert any(marked.get(place) in marks and what in causes for place, what in found.lines), found.summary
            pytest.skip(
                "the line and its cause are found, and no finding: the machine did something else in most steps"
            )
        assert code in found.advice, found.summary
        assert marked.get(found.advice[code]) in marks, found.summary
        said = {what for place, what in found.lines if place == found.advice[code]}
        assert causes is None or said & causes, found.summary
