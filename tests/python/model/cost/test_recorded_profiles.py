"""Costs on real profiles and programs: against what the profile states, what XProf computed, and counting by hand."""

import json
import lzma
import math

import attrs
import numpy as np
import pytest

from made.program.program_cost import program_cost
from made.recorded import DATA
from scopelight.model.cost.op_cost import OpCosts
from scopelight.model.opening.profile import open_profile
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.sizes import first_array

V6E, MI300X = DATA / "tpu-v6e-host-offload", DATA / "mi300x-conv"


@pytest.fixture(scope="module")
def executions():
    """``executions(folder)``: those of the folder's profile; skips where the shared data is absent."""

    def read(folder):
        files = list(folder.glob("*.xplane.pb"))
        if not files:
            pytest.skip(f"{folder} is absent")
        return open_profile(files[0]).executions

    return read


def without_recorded(executions):
    return attrs.evolve(executions, ops=tuple(attrs.evolve(op, recorded=None) for op in executions.ops))


def test_the_model_agrees_with_what_a_tpu_v6e_states(executions):
    measured = executions(V6E)
    stated, estimated = OpCosts(measured), OpCosts(without_recorded(measured))
    assert len(measured.ops) == 17
    for row, op in enumerate(measured.ops):
        cost, model = stated.of(row), estimated.of(row)
        assert (cost.basis, model.basis) == ("measured", "estimated")
        assert (model.flops, model.model_flops) == (cost.flops, cost.model_flops), op.name
        spaces = dict(model.bytes_by_space)
        if op.name == "broadcast.2":
            # The compiler does not state the one scalar that it reads.
            assert spaces.pop("smem") == 4
        assert spaces == cost.bytes_by_space, op.name


def test_copies_between_host_and_device_of_the_v6e_are_counted_on_either_side_once(executions):
    measured = executions(V6E)
    costs = OpCosts(measured)
    whole = 5 * 1024 * 1024 * 256 * 4
    spaces = {
        op.name: costs.of(row).bytes_by_space for row, op in enumerate(measured.ops) if op.name.startswith("copy-")
    }
    to_device = {"copy-start", "copy-start.2", "copy-start.4", "copy-done.1", "copy-done.3", "copy-done.5"}
    assert len(spaces) == 12
    for name, moved in spaces.items():
        assert moved == {"host" if name in to_device else "main": whole}


@pytest.mark.parametrize("folder", [V6E, MI300X], ids=lambda folder: folder.name)
def test_flops_are_those_of_xprof(executions, folder):
    measured = executions(folder)
    table = json.loads(lzma.decompress((folder / "xprof" / "hlo_stats.json.xz").read_bytes()))
    names = [column["id"] for column in table["cols"]]
    costs = OpCosts(measured)
    counts = np.bincount(measured.op, minlength=len(measured.ops))
    of_op = {(measured.programs[op.program].program_id, op.name): row for row, op in enumerate(measured.ops)}
    compared = 0
    for each in table["rows"]:
        xprof = {name: cell.get("v") for name, cell in zip(names, each["c"], strict=True)}
        row = of_op.get((xprof["program_id"], xprof["hlo_op_name"]))
        if row is None:
            continue
        compared += 1
        # GFLOP/s over µs of self time.
        flops = xprof["model_flop_rate"] * xprof["total_self_time"] * 1e3
        assert costs.of(row).model_flops * int(counts[row]) == pytest.approx(flops, rel=0.01), xprof["hlo_op_name"]
    assert compared >= 4


def test_a_convolution_of_miopen_counts_no_padding(executions):
    measured = executions(MI300X)
    row = next(row for row, op in enumerate(measured.ops) if op.name == "cudnn-conv.1")
    cost = OpCosts(measured).of(row)
    # bf16[1,16,32,60,104] by bf16[5120,16,1,2,2], strides 1, 2, 2: each input position meets one kernel position.
    assert cost.flops == 2 * 5120 * 16 * 32 * 60 * 104
    arrays = (16 * 32 * 60 * 104, 5120 * 16 * 1 * 2 * 2, 5120 * 34 * 31 * 53)
    assert (cost.bytes_by_space, cost.element_type) == ({"main": 2 * sum(arrays)}, "bf16")


def test_matrix_products_of_a_training_step_for_an_h100_are_cublas_calls(shared_hlo):
    module = build_module(shared_hlo("h100-maxtext-hlo/jit_train_step.hlo.pb.xz"), "16")
    flops = ModuleFlops(module)
    calls = [each for each in module.instructions if each.opcode == "custom-call"]
    assert len(calls) == 159
    for call in calls:
        lhs, rhs = (module.instructions[row].shape.dimensions for row in call.operands[:2])
        result = math.prod(first_array(call.shape).dimensions)
        batch = math.prod(lhs[each] for each in call.dot.lhs_batch)
        # What is contracted, and only that, is in both operands and not in the result.
        contracted = math.isqrt(math.prod(lhs) * math.prod(rhs) // (result * batch))
        assert flops.of(call).flops == 2 * result * contracted
        assert flops.of(call).element_type == "bf16"
    cost = program_cost(module)
    assert cost.unknown == 0
    # Each is in a computation that is counted once; the rest is elementwise.
    products = sum(flops.of(call).flops for call in calls)
    assert products <= cost.flops <= 1.02 * products
