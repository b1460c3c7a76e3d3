"""A scripted agent that has the tools alone finds each trouble: its line, its cause and the finding that says it."""

import os

import pytest

from made.scripted_agent import MOST_CALLS, ScriptedAgent
from workloads.advice.test_ordinary_advice import BY_DEFAULT, CERTAIN, TRUE
from workloads.advice.test_ordinary_advice import FOLDER as ORDINARY

TROUBLES = {
    "slow_loader": ("input-bound", "# line: load", "waiting for input"),
    "sync_each_step": ("sync-in-step", "# line: read", "reading results"),
    "changing_batch": ("recompilation", "# line: step", "compiling"),
    "no_donation": ("missing-donation", "# line: jit", None),
    "eager_update": ("many-programs", "# line: update", None),
    "double_precision": ("double-precision", "# line: op", None),
    "printed_loss": ("host-callback", "# line: callback", None),
    "debugged": ("debug-settings", "# line: flag", None),
    "periodic_check": ("periodic-stall", "# line: save", None),
    "tiny_steps": ("dispatch-bound", "# line: launch", "launching"),
    "few_readers": ("few-workers", "# line: read", "waiting for input"),
    "table_each_step": ("transfers", "# line: step", None),
    "unrolled_layers": ("unrolled-loop", "for row in range(LAYERS):", None),
    "written_programs": ("debug-settings", "# line: flag", None),
    "uncompiled": ("debug-settings", "# line: flag", "launching"),
}
ORDINARY_NAMES = [
    each for each in CERTAIN if each in (TRUE if os.environ.get("SCOPELIGHT_TEST_ORDINARY") else BY_DEFAULT)
]
LONGER = {"table_each_step": ("--steps", "15")}


@pytest.fixture(scope="module")
def folder(project):
    return project / "tests" / "workloads" / "advice"


@pytest.mark.parametrize("name", TROUBLES)
def test_the_line_the_cause_and_the_finding_are_found(capture, folder, name):
    code, mark, cause = TROUBLES[name]
    run = capture(name, *LONGER.get(name, ()), script=[str(folder / f"{name}.py")], folder=folder)
    found = ScriptedAgent(folder, run.directory.parent).investigate_run(run.directory.name)
    assert code in found.advice, found.summary
    path, _, number = found.advice[code].rpartition(":")
    assert mark in (folder / path).read_text().splitlines()[int(number) - 1]
    assert cause is None or cause in found.summary
    assert found.calls <= MOST_CALLS


@pytest.mark.parametrize("name", ORDINARY_NAMES)
def test_what_is_certain_of_an_ordinary_script_is_found_at_a_line_of_it(capture, name):
    run = capture(f"ordinary-{name}", script=[str(ORDINARY / f"{name}.py")], folder=ORDINARY)
    found = ScriptedAgent(ORDINARY, run.directory.parent).investigate_run(run.directory.name)
    for code in CERTAIN[name]:
        assert found.advice[code].startswith(f"{name}.py:"), found.summary
    assert found.calls <= MOST_CALLS
