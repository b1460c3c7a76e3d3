"""A scripted agent that has the tools alone finds the planted line of each workload, and what runs there."""

import json
from pathlib import Path

import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent

WORKLOADS = Path(__file__).resolve().parents[2] / "workloads"
EXPECTED = json.loads((WORKLOADS / "expected.json").read_text())


def marks_of(place):
    """The name in the comment `# line: NAME` of a place relative to the workloads."""
    path, _, number = place.rpartition(":")
    text = (WORKLOADS / path).read_text().splitlines()[int(number) - 1]
    return text.split("# line: ")[1].strip() if "# line: " in text else None


@pytest.mark.parametrize("name", [each for each in EXPECTED if "hottest" in EXPECTED[each]])
def test_the_hottest_line_and_what_it_computes_are_found(workload, name):
    captured = workload(name)
    # What is advised on these is true as well: the line that computes most is looked for here.
    agent = ScriptedAgent(WORKLOADS, captured.directory.parent)
    found = agent.investigate_run(captured.directory.name)
    place = next(line for line in found.summary.splitlines() if "; runs;" in line).split("  ")[0]
    assert marks_of(place) == EXPECTED[name]["hottest"]
    if found.place == place:
        categories = EXPECTED[name]["lines"][EXPECTED[name]["hottest"]]
        assert any(f'"{category}")' in found.detail for category in categories)
    assert found.calls <= MOST_CALLS
