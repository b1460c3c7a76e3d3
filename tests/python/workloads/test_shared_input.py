"""Of lines that do several things only what flows into the step is its input, and what traces the step is none."""

import pytest

from scopelight.analysis.host.input.view import input_record
from scopelight.model.opening.profile import open_profile
from scopelight.source.workspace import line_options
from workloads.test_idle_truth import PYTHONS, steps_of, version_of

SCRIPT = "shared_lines"


@pytest.mark.parametrize("is_whole", [False, True], ids=["steps", "whole"])
@pytest.mark.parametrize("python", PYTHONS, ids=version_of)
def test_the_function_that_makes_the_data_is_the_only_input(capture_host, project, python, is_whole):
    how = ["--whole"] if is_whole else ["--steps", str(steps_of(python))]
    captured = capture_host(
        f"{SCRIPT}-{version_of(python)}-{is_whole}", SCRIPT, python, *how, ends="itself" if is_whole else "told"
    )
    profile = open_profile(captured.directory)
    found = input_record(profile, line_options(profile))
    assert [(each.kind, each.name) for each in found.operations[:-2]] == [("function", "augment")]
    assert found.suspected == found.operations[0].key
    lines = (project / "tests" / "workloads" / "host" / f"{SCRIPT}.py").read_text().splitlines()
    (made,) = (number for number, line in enumerate(lines, 1) if line.endswith("# line: augment"))
    assert found.lines[0].line == made
    assert {each.function.rpartition(".")[2] for each in found.lines} <= {"augment", "<module>"}
    # Each step it is as long again in what stands beside.
    assert found.input_ps < 0.75 * found.idle_ps
