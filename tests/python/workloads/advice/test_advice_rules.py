"""Each rule on a script that has its trouble, and on the twin that has not."""

from pathlib import Path

import pytest

from scopelight.analysis.advice.advice import advice_record
from scopelight.views.opening import open_subject

TWINS = {
    "eager_update": ("many-programs", "# line: update"),
    "double_precision": ("double-precision", "# line: op"),
    "printed_loss": ("host-callback", "# line: callback"),
    "debugged": ("debug-settings", "# line: flag"),
    "periodic_check": ("periodic-stall", "# line: save"),
    "unrolled_layers": ("unrolled-loop", None),
    "tiny_steps": ("dispatch-bound", "# line: launch"),
    "few_readers": ("few-workers", "# line: read"),
    "table_each_step": ("transfers", "# line: step"),
    "written_programs": ("debug-settings", "# line: flag"),
    "uncompiled": ("debug-settings", "# line: flag"),
}


@pytest.fixture(scope="module")
def folder(project):
    return project / "tests" / "workloads" / "advice"


LONGER = {"table_each_step": ("--steps", "15")}
"""Windows of scripts whose steps differ much from one another."""


def advised(capture, folder, name, *arguments):
    script = [str(folder / f"{name}.py"), *arguments]
    run = capture(f"{name}{''.join(arguments)}", *LONGER.get(name, ()), script=script, folder=folder)
    assert run.exit_code == 0, run.messages
    record = advice_record(open_subject(run.directory, folder))
    assert record.steps >= 3, (record, run.messages)
    return {each.code: each for each in record.findings}


@pytest.mark.parametrize("name", TWINS)
def test_the_trouble_is_said_on_its_line(capture, folder, name):
    code, mark = TWINS[name]
    found = advised(capture, folder, name)
    assert code in found
    if mark is not None:
        lines = Path(folder / f"{name}.py").read_text().splitlines()
        assert mark in lines[found[code].line - 1]


@pytest.mark.parametrize("name", TWINS)
def test_nothing_of_it_is_said_of_the_twin(capture, folder, name):
    assert TWINS[name][0] not in advised(capture, folder, name, "--repaired")


def test_functions_that_are_not_compiled_are_not_said_to_lack_it(capture, folder):
    assert set(advised(capture, folder, "uncompiled")) == {"debug-settings"}
