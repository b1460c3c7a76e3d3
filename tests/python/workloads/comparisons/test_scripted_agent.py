"""A scripted agent that has the tools alone finds which of four parts does more than in the run before."""

import re

import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent

_MORE = re.compile(r"^(?P<place>\S+:\d+) .*; FLOPs \+(?P<percent>[\d.]+).%", re.MULTILINE)


@pytest.fixture(scope="module")
def sides(project, tmp_path_factory):
    """A folder with a script of four parts, and one whose second part has half as many passes again."""
    script = project / "tests" / "workloads" / "comparisons" / "parts.py"
    folder = tmp_path_factory.mktemp("parts")
    for side, passes in (("before", 40), ("after", 60)):
        (folder / side).mkdir()
        (folder / side / "parts.py").write_text(script.read_text().replace("LONG = 40\n", f"LONG = {passes}\n"))
    return folder


@pytest.fixture(scope="module")
def agent(capture, sides):
    """Who has a run of each."""
    runs = [
        capture(f"four-{side}", "--steps", "20", script=["parts.py"], folder=sides / side, ends="interrupted")
        for side in ("before", "after")
    ]
    return ScriptedAgent(sides, *(run.directory.parent for run in runs))


def test_the_line_that_does_more_and_how_much_more_are_found(agent, sides):
    text = agent.ask("compare", before="four-before", after="four-after")
    # One run of each: times cannot be told, what it computes is exact, for each pass is as long.
    of_step = re.search(r"^FLOPs of a step \(exact\): .* \(\+(?P<percent>[\d.]+).%\): more$", text, re.MULTILINE)
    assert of_step is not None, text
    assert float(of_step["percent"]) == pytest.approx(100 * 20 / 160, abs=0.6)
    more = {each["place"]: each["percent"] for each in _MORE.finditer(text)}
    assert list(more.values()) == ["50"], text
    (place,) = more
    path, _, number = place.rpartition(":")
    assert path == "after/parts.py"
    assert "jnp.sin(rows @ weights)" in (sides / path).read_text().splitlines()[int(number) - 1]
    # It is what makes sense to ask next, whatever took longer or less by chance.
    assert text.splitlines()[-1] == f'next: line_detail(line="{place}", run="four-after")'
    assert " in long: " in agent.ask("line_detail", run="four-after", line=place)
    assert agent.calls <= MOST_CALLS
