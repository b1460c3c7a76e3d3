"""Costs of whole programs against what XLA says of them: ``compiled.cost_analysis()`` of jax."""

import pytest

from made.program.cost_programs import PROGRAMS
from made.program.program_cost import ProgramCost, program_cost
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.hlo.nouns import Computation, HloModule, Instruction, Shape

EXACT = [name for name in PROGRAMS if "product" in name or "convolution" in name]
"""Programs of dots and convolutions."""

OTHER_BYTES = {
    # A gather inside a fusion is taken to read its whole operand; a gather alone XLA too counts by what it returns.
    "take along an axis": (64 * 48 - 64 * 10) * 4,
}
"""Programs of whose bytes XLA counts more than a tenth too many, and how many."""


@pytest.fixture(scope="session")
def costs(compiled):
    """Of each program, once: our cost, and XLA's FLOPs, transcendentals and bytes."""
    known = {}

    def of(name):
        if name not in known:
            function, *arguments = PROGRAMS[name]
            module, executable = compiled(function, *arguments)
            analysis = executable.cost_analysis()
            quantities = ("flops", "transcendentals", "bytes accessed")
            known[name] = program_cost(module), *(analysis.get(each, 0) for each in quantities)
        return known[name]

    return of


@pytest.mark.parametrize("name", PROGRAMS)
def test_flops_are_those_of_xla(costs, name):
    cost, flops, _, _ = costs(name)
    # XLA counts each custom call as -1, which stands for unknown.
    assert cost.flops == pytest.approx(flops + cost.unknown, rel=0.02)


@pytest.mark.parametrize("name", EXACT)
def test_flops_of_products_and_convolutions_are_exactly_those_of_xla(costs, name):
    cost, flops, _, _ = costs(name)
    assert cost.flops == flops > 0


@pytest.mark.parametrize("name", PROGRAMS)
def test_transcendentals_are_those_of_xla(costs, name):
    cost, _, transcendentals, _ = costs(name)
    assert cost.transcendentals == pytest.approx(transcendentals, rel=0.02)


@pytest.mark.parametrize("name", PROGRAMS)
def test_bytes_are_those_of_xla(costs, name):
    cost, _, _, moved = costs(name)
    expected = moved + cost.unknown - OTHER_BYTES.get(name, 0)
    assert cost.bytes == pytest.approx(expected, rel=0.1)
    assert name not in OTHER_BYTES or cost.bytes < 0.9 * moved


def test_there_are_enough_programs_and_custom_calls_among_them(costs):
    assert len(PROGRAMS) >= 30
    assert len(EXACT) >= 12
    assert costs("top k")[0] == ProgramCost(unknown=1)
    assert costs("qr")[0].unknown == 2


def calling(opcode, *bodies):
    """A module whose entry calls, by one ``opcode``, computations of so many additions of a thousand elements."""
    array = Shape("f32", (1000,))
    instructions, computations = [], []
    for body in bodies:
        first = len(instructions)
        row = len(computations)
        instructions.append(Instruction(first, f"p.{row}", "parameter", array, row, parameter_number=0))
        for number in range(body):
            place = len(instructions)
            instructions.append(Instruction(place, f"add.{row}.{number}", "add", array, row, (first, first)))
        computations.append(Computation(row, f"body.{row}", tuple(range(first, len(instructions))), first))
    row, place = len(computations), len(instructions)
    instructions.append(Instruction(place, opcode, opcode, array, row, called=tuple(range(row))))
    computations.append(Computation(row, "main", (place,), place))
    return HloModule("m", "", tuple(instructions), tuple(computations), row)


@pytest.mark.parametrize(
    ("opcode", "bodies", "additions"),
    [("while", (1, 4), 5), ("conditional", (3, 7, 2), 7), ("call", (3,), 3), ("async-start", (6,), 6)],
)
def test_loops_count_once_and_of_branches_the_larger_one(opcode, bodies, additions):
    assert program_cost(calling(opcode, *bodies)) == ProgramCost(additions * 1000, 0, additions * 12000)


def test_computations_that_call_each_other_end():
    module = calling("call", 2)
    row = len(module.computations) - 1
    circle = Instruction(99, "back", "call", Shape("f32", (1000,)), row, called=(row, 0))
    instructions = (*module.instructions[:-1], circle)
    module = HloModule("m", "", instructions, module.computations, row)
    assert program_cost(module).flops == 2000
    assert ModuleFlops(module).of_computation(row).flops >= 2000
