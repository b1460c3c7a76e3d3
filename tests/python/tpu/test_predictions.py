"""What is predicted of a step is what the compiler says of it: FLOPs of all passes of its loop, and memory."""

import json
import subprocess
from pathlib import Path

import attrs
import pytest

from made import scripts
from made.predictions import SCAN, UNROLLED
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_viewer
from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.subject import Subject
from scopelight.model.opening.profile import open_profile
from scopelight.model.run.prediction import read_prediction

COMPILE = Path(scripts.__file__).with_name("compile_predicted.py")
STEP = Path(scripts.__file__).parent / "predicted" / "step.py"
COMPILE_TIMEOUT_SECONDS = 300
VARIANTS = {SCAN: (), UNROLLED: ("--unrolled",)}


@pytest.fixture(scope="module")
def said(tpu_python):
    """By run what the compiler says of its step."""
    found = {}
    for run, arguments in VARIANTS.items():
        ran = subprocess.run(
            [tpu_python, COMPILE, STEP, *arguments],
            capture_output=True,
            text=True,
            timeout=COMPILE_TIMEOUT_SECONDS,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        found[run] = json.loads(ran.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("run", VARIANTS, ids=lambda run: run.name)
def test_the_flops_of_a_step_are_the_compilers_with_loops_unrolled(said, run):
    table = op_table(open_profile(run))
    flops = flops_record(table).rows[0].flops / table.extent.steps
    assert flops == pytest.approx(said[UNROLLED]["flops"], rel=0.001)
    # Of a loop the compiler itself counts one pass.
    assert said[SCAN]["flops"] < 0.5 * flops


@pytest.mark.parametrize("run", VARIANTS, ids=lambda run: run.name)
def test_the_memory_of_a_step_is_the_compilers(said, run):
    (program,) = (each for each in read_prediction(run).programs if each.name == "jit(train_step)")
    told = attrs.asdict(program.memory)
    assert {name: told[name] for name in said[run] if name != "flops"} == {
        name: each for name, each in said[run].items() if name != "flops"
    }
    record = memory_viewer(Subject.of(open_profile(run)), ProgramMemoryOptions(program=str(program.number)))
    assert record.totals.argument_bytes == said[run]["argument_bytes"]
    # The peak that the compiler states has the program's code in it, and what its runtime reserves.
    assert record.peak_bytes <= said[run]["peak_bytes"]
