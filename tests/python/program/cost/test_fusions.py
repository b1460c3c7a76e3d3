"""How a fusion is divided."""

import jax
import jax.numpy as jnp
import pytest

from scopelight.model.fusion_rates import backend_rates
from scopelight.program.cost.fusions import FusionCosts
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import Computation, DotDimensions, HloModule, Instruction, Shape
from scopelight.program.hlo.products import DOTS

F32 = Shape("f32", (1024,))


def module_of(*computations):
    """A module of computations (name, [(opcode, operands inside it, called names)]); the last is the entry."""
    names = [name for name, _ in computations]
    instructions, built = [], []
    for row, (name, body) in enumerate(computations):
        first = len(instructions)
        for number, (opcode, operands, called) in enumerate(body):
            instructions.append(
                Instruction(
                    id=len(instructions),
                    name=f"{name}.{number}",
                    opcode=opcode,
                    shape=F32,
                    computation=row,
                    operands=tuple(first + operand for operand in operands),
                    called=tuple(names.index(each) for each in called),
                    parameter_number=number if opcode == "parameter" else None,
                )
            )
        rows = tuple(range(first, len(instructions)))
        built.append(Computation(row, name, rows, rows[-1]))
    return HloModule("m", "", tuple(instructions), tuple(built), len(built) - 1)


def shares(module, name, kind="cpu"):
    parts = FusionCosts(module, backend_rates(kind)).parts(module.by_name[name])
    whole = sum(parts.values())
    return {module.instructions[row].name: part / whole for row, part in parts.items()}


INNER = ("inner", [("parameter", [], []), ("sine", [0], []), ("add", [1, 0], [])])


def test_a_nested_fusion_is_divided_to_its_leaves():
    module = module_of(
        INNER,
        ("outer", [("parameter", [], []), ("fusion", [0], ["inner"]), ("multiply", [1, 0], [])]),
        ("main", [("parameter", [], []), ("fusion", [0], ["outer"])]),
    )
    divided = shares(module, "main.1")
    assert set(divided) == {"inner.1", "inner.2", "outer.2"}
    assert sum(divided.values()) == pytest.approx(1)
    assert divided["inner.1"] > 0.6
    assert divided["inner.2"] < divided["inner.1"] / 4
    # Inside, the nested fusion keeps the proportions that it has when it stands alone.
    alone = shares(module_of(INNER, ("main", [("parameter", [], []), ("fusion", [0], ["inner"])])), "main.1")
    assert divided["inner.1"] / divided["inner.2"] == pytest.approx(alone["inner.1"] / alone["inner.2"])


def test_what_passes_between_instructions_is_no_memory_traffic():
    module = module_of(
        (
            "fused",
            [("parameter", [], []), ("add", [0, 0], []), ("multiply", [1, 1], []), ("negate", [2], [])],
        ),
        ("main", [("parameter", [], []), ("fusion", [0], ["fused"])]),
    )
    parts = FusionCosts(module, backend_rates("gpu")).parts(module.by_name["main.1"])
    costs = {module.instructions[row].name: cost for row, cost in parts.items()}
    rates = backend_rates("gpu")
    assert costs["fused.1"] == 4096 * rates.flops_per_byte
    assert costs["fused.2"] == 1024 * rates.elementwise_flops
    assert costs["fused.3"] == 4096 * rates.flops_per_byte


def test_a_parameter_read_twice_is_paid_once_and_shared():
    module = module_of(
        (
            "fused",
            [
                ("parameter", [], []),
                ("bitcast", [0], []),
                ("abs", [1], []),
                ("sign", [0], []),
                ("add", [2, 3], []),
            ],
        ),
        ("main", [("parameter", [], []), ("fusion", [0], ["fused"])]),
    )
    rates = backend_rates("tpu")
    parts = FusionCosts(module, rates).parts(module.by_name["main.1"])
    costs = {module.instructions[row].name: cost for row, cost in parts.items()}
    assert costs["fused.2"] == costs["fused.3"] == 2048 * rates.flops_per_byte
    assert "fused.1" not in costs


@pytest.mark.parametrize("opcode", sorted(DOTS))
def test_every_product_is_weighed_by_its_flops(opcode):
    """Not as so many elementwise operations: the matrix unit computes it, or the vector unit at its best."""
    side = 1024
    square = Shape("f32", (side, side))
    dimensions = DotDimensions(lhs_contracting=(1,), rhs_contracting=(0,))
    instructions = (
        Instruction(0, "inner.0", "parameter", square, 0, parameter_number=0),
        Instruction(1, "inner.1", opcode, square, 0, (0, 0), dot=dimensions),
        Instruction(2, "inner.2", "negate", square, 0, (1,)),
        Instruction(3, "main.0", "parameter", square, 1, parameter_number=0),
        Instruction(4, "main.1", "fusion", square, 1, (3,), (0,)),
    )
    computations = (Computation(0, "inner", (0, 1, 2), 2), Computation(1, "main", (3, 4), 4))
    module = HloModule("m", "1", instructions, computations, 1)
    parts = FusionCosts(module, backend_rates("gpu")).parts(instructions[4])
    assert parts[1] == 2 * side**3


def test_only_fusions_and_calls_have_parts():
    module = module_of(INNER, ("main", [("parameter", [], []), ("while", [0], ["inner"]), ("add", [1, 1], [])]))
    costs = FusionCosts(module, backend_rates("cpu"))
    assert costs.parts(module.by_name["main.1"]) == {}
    assert costs.parts(module.by_name["main.2"]) == {}


def test_categories_are_in_the_words_of_xprof(compiled):
    def step(x, w):
        return jnp.tanh(jnp.transpose(x) @ w), jnp.sort(x, 0), jax.lax.fori_loop(0, 3, lambda _, a: a @ a, x)

    module, _ = compiled(step, jnp.ones((64, 64)), jnp.ones((64, 64)))
    seen = {category_of(module, each) for each in module.instructions}
    assert {"while", "sort"} <= seen
    assert seen & {"dot", "dot fusion"}
    assert "loop fusion" in seen


@pytest.mark.parametrize(
    ("opcode", "category"),
    [
        ("all-reduce", "all-reduce"),
        ("all-reduce-start", "all-reduce"),
        ("all-gather-done", "all-gather"),
        ("copy", "copy"),
        ("copy-done", "copy-done"),
        ("transpose", "data formatting"),
        ("custom-call", "custom-call"),
        ("add", "non-fusion elementwise"),
        ("convolution", "convolution"),
    ],
)
def test_category_of_an_opcode(opcode, category):
    module = module_of(("main", [("parameter", [], []), (opcode, [0], [])]))
    assert category_of(module, module.by_name["main.1"]) == category


def test_category_of_an_asynchronous_op_is_that_of_what_it_starts():
    module = module_of(
        ("inner", [("parameter", [], []), ("convolution", [0], [])]),
        ("main", [("parameter", [], []), ("async-start", [0], ["inner"]), ("async-done", [1], [])]),
    )
    assert category_of(module, module.by_name["main.1"]) == "convolution"
    assert category_of(module, module.by_name["main.2"]) == "convolution"
