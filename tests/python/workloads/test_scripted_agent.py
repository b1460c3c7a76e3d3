"""A scripted agent that has the tools alone finds the planted line of each workload, and what runs there."""

import json
import re
from pathlib import Path

import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent
from workloads.advice import test_scripted_agent as advice
from workloads.advice.test_ordinary_advice import CERTAIN, TRUE
from workloads.test_scripted_agent_host import TROUBLES as OF_HOST

WORKLOADS = Path(__file__).resolve().parents[2] / "workloads"
EXPECTED = json.loads((WORKLOADS / "expected.json").read_text())
HOTTEST = [each for each in EXPECTED if "hottest" in EXPECTED[each]]
ONE_OF = [each for each in EXPECTED if each not in HOTTEST]
"""Of these several lines take about as long."""
NOTHING_PLANTED = {
    "activation.py": "the other file of two_files",
    "advice/stand_in.py": "the step of the other scripts there",
    "comparisons/experiment.py": "no workload: makes comparisons of parts.py and judges them, in half an hour",
    "ground_truth.py": "the clock of the other scripts",
    "host/perceptron.py": "the model of the other scripts there",
    "host/truth_clock.py": "the clock of the other scripts there",
    "packaged/__init__.py": "makes packaged a package",
    "packaged/network.py": "the other file of packaged",
    "short_steps.py": "its steps are empty, for the benchmark of what tracing costs",
    **{
        f"ordinary/{name}.py": "has no trouble in mind: advice/test_ordinary_advice.py"
        for name in TRUE.keys() - CERTAIN
    },
}
"""What is no workload, or one with no line of its own to find, and why."""


def marks_of(place):
    """The name in the comment `# line: NAME` of a place relative to the workloads."""
    path, _, number = place.rpartition(":")
    text = (WORKLOADS / path).read_text().splitlines()[int(number) - 1]
    return text.split("# line: ")[1].strip() if "# line: " in text else None


@pytest.fixture
def found(workload):
    """``found(name)``: what the agent has found of a workload."""

    def investigated(name):
        captured = workload(name)
        investigated = ScriptedAgent(WORKLOADS, captured.directory.parent).investigate_run(captured.directory.name)
        assert investigated.calls <= MOST_CALLS
        return investigated

    return investigated


def test_every_workload_is_looked_into_or_has_a_reason_why_not():
    looked_into = {f"{name}/__main__.py" if (WORKLOADS / name).is_dir() else f"{name}.py" for name in EXPECTED}
    looked_into |= {f"advice/{name}.py" for name in advice.TROUBLES}
    looked_into |= {f"ordinary/{name}.py" for name in CERTAIN}
    looked_into |= {f"host/{name}.py" for name in OF_HOST}
    # The last in tests/python/tpu/test_fit.py, which has the compiler that predicts it.
    looked_into |= {"hosts/pod.py", "comparisons/parts.py", "preflight/five_billion.py"}
    there = {str(path.relative_to(WORKLOADS)) for path in WORKLOADS.rglob("*.py")}
    assert there == looked_into | NOTHING_PLANTED.keys()
    assert not looked_into & NOTHING_PLANTED.keys()


@pytest.mark.parametrize("name", HOTTEST)
def test_the_hottest_line_and_what_it_computes_are_found(found, name):
    investigated = found(name)
    # What is advised on these is true as well: the line that computes most is looked for here.
    assert marks_of(investigated.running) == EXPECTED[name]["hottest"], investigated.summary
    categories = EXPECTED[name]["lines"][EXPECTED[name]["hottest"]]
    assert any(f'"{category}")' in investigated.details[investigated.running] for category in categories)


@pytest.mark.parametrize("name", ONE_OF)
def test_one_of_the_lines_that_take_most_is_found(found, name):
    investigated = found(name)
    mark = marks_of(investigated.running)
    either = EXPECTED[name]["lines"] | EXPECTED[name]["also"]
    assert mark in either, investigated.summary
    assert any(f'"{category}")' in investigated.details[investigated.running] for category in either[mark])


def test_what_is_computed_again_is_found_in_its_line(found):
    investigated = found("remat_scan")
    assert marks_of(investigated.running) in ("up", "sine")
    phases = re.search(r"^in % by phase: .*\brecomp\w* (\d+)", investigated.details[investigated.running], re.MULTILINE)
    assert phases is not None, investigated.details
    assert int(phases[1]) > 5


def test_the_line_that_devices_meet_in_is_found(found):
    investigated = found("sharded")
    assert "communication not hidden" in investigated.summary.splitlines()[1]
    (meeting,) = (place for primitive, place in investigated.ops.items() if primitive.startswith("psum"))
    assert marks_of(meeting) == "mean"
