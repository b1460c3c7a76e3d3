"""What a training step computes and its forward pass does not is backward, whatever jax and XLA left of the names."""

import os
import subprocess

import pytest

from made.program import differentiated
from scopelight.formats.hlo import hlo_pb2
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.hlo.builder import build_module
from scopelight.program.phases.phase import Phase
from scopelight.program.phases.phases import module_phases

OTHER_PYTHONS = [each for each in os.environ.get("SCOPELIGHT_TEST_PYTHONS", "").split(os.pathsep) if each]
"""Pythons with another jax, as `make test-jax-newest` names them."""

PASSIVE = ("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "fusion", "while", "call", "conditional")
RUN = ("while", "conditional", "call", "fusion")
ONCE = ("reduce-window", "select-and-scatter", "sort", "scatter", "dot", "convolution", "fft", "custom-call")
"""Opcodes that XLA writes into no second fusion, so that each pass has as many alone as in the step."""


def read(data):
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(data)
    module = build_module(proto, "1")
    run = module.reached([module.entry], RUN)
    rows = [row for row, each in enumerate(module.instructions) if each.computation in run]
    return module, [row for row in rows if module.instructions[row].opcode not in PASSIVE]


def work(module, rows):
    """FLOPs of the ops that are there once, and how many of those have none that are known."""
    flops = ModuleFlops(module)
    made = [flops.of(module.instructions[row]).flops for row in rows if module.instructions[row].opcode in ONCE]
    return sum(each or 0 for each in made), made.count(None)


def assert_divided(step, forward, backward, *, recomputes):
    """Hold the phases of a step against its passes compiled apart. XLA merges what is computed twice where it can."""
    module, rows = read(step)
    phases = module_phases(module)
    assert not [module.instructions[row].name for row in rows if phases[row] == Phase.OTHER]
    computing = [row for row in rows if module.instructions[row].opcode in ONCE]
    assert not [module.instructions[row].name for row in computing if phases[row] == Phase.OPTIMIZER]
    passes = {phase: work(module, [row for row in computing if phases[row] == phase]) for phase in Phase}
    alone, again = work(*read(backward)), passes[Phase.RECOMPUTE]
    assert passes[Phase.FORWARD] <= work(*read(forward))
    if recomputes:
        assert passes[Phase.BACKWARD] <= alone
        assert passes[Phase.BACKWARD][0] + again[0] <= alone[0]
    else:
        assert again == (0, 0)
        assert passes[Phase.BACKWARD] == alone
    return passes


@pytest.mark.parametrize("name", differentiated.FUNCTIONS)
def test_each_pass_of_a_step_computes_what_it_does_alone(name):
    assert_divided(*differentiated.modules(name), recomputes="recomputed" in name)


def test_what_xla_merged_is_computed_once_and_what_it_did_not_is_computed_again():
    passes = assert_divided(*differentiated.modules("recomputed max_pool"), recomputes=True)
    assert passes[Phase.RECOMPUTE] == (0, 0)
    assert passes[Phase.FORWARD][0] > 0
    passes = assert_divided(*differentiated.modules("recomputed sort"), recomputes=True)
    assert passes[Phase.RECOMPUTE] == passes[Phase.FORWARD]


@pytest.mark.skipif(not OTHER_PYTHONS, reason="SCOPELIGHT_TEST_PYTHONS names no Python with another jax")
@pytest.mark.parametrize("python", OTHER_PYTHONS)
def test_so_it_is_with_other_jax(python, tmp_path):
    subprocess.run([python, differentiated.__file__, str(tmp_path)], check=True)
    for number, name in enumerate(differentiated.FUNCTIONS):
        parts = [(tmp_path / f"{number}.{what}.hlo.pb").read_bytes() for what in ("step", "forward", "backward")]
        assert_divided(*parts, recomputes="recomputed" in name)
