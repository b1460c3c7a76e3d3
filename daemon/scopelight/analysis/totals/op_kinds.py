"""The kind of an op, in the words of jax where it has them: what another compiler and other sizes leave as it is."""

import re

from scopelight.analysis.totals.names import scope_and_primitive
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.products import PRODUCTS

_MOVING = frozenset(("copy", "transpose", "bitcast", "bitcast-convert", "reshape", "parameter", "constant", "tuple"))
"""Opcodes that a compiler inserts around an op under the op's own name."""
_ASYNCHRONOUS = ("-start", "-update", "-done")
_NUMBER = re.compile(r"(?:[._]\d+)+$")


def main_instruction(module: HloModule, instruction: Instruction) -> Instruction:
    """The instruction that an op is there for: the product inside a fusion, whatever the compiler put around it.

    Of a fusion without a product or a name its root, of any other op the op itself.
    """
    if instruction.opcode != "fusion" or not instruction.called:
        return instruction
    computation = module.computations[instruction.called[0]]
    inside = (module.instructions[row] for row in computation.instructions)
    product = next((each for each in inside if each.opcode in PRODUCTS), None)
    if product is not None:
        return product
    return instruction if instruction.op_name else module.instructions[computation.root]


def kind_of_op(instruction: Instruction) -> str:
    """``dot_general``, ``reduce_sum``; the opcode of what only moves data, or that jax has no name for."""
    opcode = instruction.opcode
    if opcode in _MOVING or opcode.endswith(_ASYNCHRONOUS):
        return opcode
    return scope_and_primitive(instruction.op_name)[1] or opcode


def kind_of_name(name: str, op_name: str) -> str:
    """The kind of an op of which nothing but its names is known."""
    return scope_and_primitive(op_name)[1] or _NUMBER.sub("", name)
