"""What a fusion moves: each array that crosses its boundary, once, whoever inside asks for it."""

import pytest

from scopelight.model.fusion_rates import backend_rates
from scopelight.program.cost.fusions import FusionCosts
from scopelight.program.cost.traffic import Traffic
from scopelight.program.hlo.nouns import Computation, DotDimensions, HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size

LEFT, RIGHT = Shape("bf16", (512, 64)), Shape("bf16", (64, 256))
PRODUCT, ROW, ONE = Shape("f32", (512, 256)), Shape("f32", (256,)), Shape("bf16", ())


def module_of(*computations):
    """A module of computations (name, [(name, opcode, shape, operands, called)]); the last is the entry."""
    names = [name for name, _ in computations]
    instructions, built = [], []
    for row, (name, body) in enumerate(computations):
        first = len(instructions)
        rows = {each[0]: first + place for place, each in enumerate(body)}
        for each, opcode, shape, operands, called in body:
            instructions.append(
                Instruction(
                    *(len(instructions), f"{name}/{each}", opcode, shape, row),
                    operands=tuple(rows[operand] for operand in operands),
                    called=tuple(names.index(callee) for callee in called),
                    parameter_number=len(instructions) - first if opcode == "parameter" else None,
                    dot=DotDimensions((1,), (0,)) if opcode == "dot" else None,
                )
            )
        built.append(Computation(row, name, tuple(range(first, len(instructions))), len(instructions) - 1))
    return HloModule("m", "", tuple(instructions), tuple(built), len(built) - 1)


def passing(name, shape):
    """The computation of a block of a product that hands on what it is given."""
    return (name, [("in", "parameter", shape, (), ())])


SPREADING = ("right", [("one", "constant", ONE, (), ()), ("out", "broadcast", RIGHT, ("one",), ())])


def product(right, *operands):
    """A fused product of two blocks, as Triton is given them: each a fusion of its own."""
    parameters = [("p", "parameter", LEFT, (), ())]
    if operands:
        parameters.append(("q", "parameter", RIGHT, (), ()))
    return module_of(
        passing("left", LEFT),
        right,
        (
            "fused",
            [
                *parameters,
                ("a", "fusion", LEFT, ("p",), ("left",)),
                ("b", "fusion", RIGHT, operands, ("right",)),
                ("dot", "dot", PRODUCT, ("a", "b"), ()),
            ],
        ),
        ("main", [*parameters, ("out", "fusion", PRODUCT, [each[0] for each in parameters], ("fused",))]),
    )


def moved(module, name="main/out"):
    accesses = Traffic(module).accesses(module.by_name[name])
    return sum(each.bytes for each in accesses if not each.writes), sum(each.bytes for each in accesses if each.writes)


@pytest.mark.parametrize(
    ("module", "read"),
    [
        (product(passing("right", RIGHT), "q"), byte_size(LEFT) + byte_size(RIGHT)),
        # What is made of a constant is not read.
        (product(SPREADING), byte_size(LEFT)),
    ],
    ids=["both in memory", "one of a constant"],
)
def test_a_product_of_nested_blocks_reads_its_operands(module, read):
    assert moved(module) == (read, byte_size(PRODUCT))
    # The product takes all of the time: it waits for its operands, or they for it.
    rates = backend_rates("gpu")
    parts = FusionCosts(module, rates).parts(module.by_name["main/out"])
    cost = max(2 * 512 * 64 * 256, (read + byte_size(PRODUCT)) * rates.flops_per_byte)
    assert {module.instructions[row].name: part for row, part in parts.items() if part > cost / 100} == {
        "fused/dot": cost
    }


@pytest.mark.parametrize("opcode", ["bitcast", "reshape", "broadcast", "copy", "transpose", "negate"])
def test_what_is_handed_on_is_read_and_written(opcode):
    result = PRODUCT if opcode == "broadcast" else ROW
    fused = ("fused", [("p", "parameter", ROW, (), ()), ("r", opcode, result, ("p",), ())])
    module = module_of(
        fused, ("main", [("p", "parameter", ROW, (), ()), ("out", "fusion", result, ("p",), ("fused",))])
    )
    assert moved(module) == (byte_size(ROW), byte_size(result))


def test_a_parameter_that_is_handed_on_beside_another_result_is_read_once():
    both = Shape("tuple", tuple_shapes=(ROW, ROW))
    fused = (
        "fused",
        [("p", "parameter", ROW, (), ()), ("n", "negate", ROW, ("p",), ()), ("t", "tuple", both, ("p", "n"), ())],
    )
    module = module_of(fused, ("main", [("p", "parameter", ROW, (), ()), ("out", "fusion", both, ("p",), ("fused",))]))
    assert moved(module) == (byte_size(ROW), 2 * byte_size(ROW))
