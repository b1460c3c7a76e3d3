"""What an op is called: its primitive, scope and shapes, as the records of lines write them."""

import re
from collections.abc import Sequence
from typing import Any

import attrs

from scopelight.legible import Legible
from scopelight.model.executions import Op, Program
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.products import DOTS, PRODUCTS

_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_DEEPEST_BRACKETS = 8
_COMBINED = re.compile(r"(?:(.*)/)?\((.+)\)")
"""What XLA calls one collective that it makes of several: what their names begin with, and their ends."""
_CALLS = frozenset(("closed_call", "core_call", "checkpoint", "remat", "body", "cond"))
"""Parts of an op's name that hold ops and do nothing themselves, besides those in brackets: ``jvp(jit(loss))``."""
_MOST_PARTS = 16


@attrs.frozen(slots=True, repr=False)
class OpNames(Legible):
    """The words of a `LineOpRecord`."""

    name: str
    category: str
    program_id: str
    primitive: str
    scope: str
    shape: str
    operand_shapes: tuple[str, ...]

    @property
    def fields(self) -> dict[str, Any]:
        """Its fields by name, for a record that has them all."""
        return {each.name: getattr(self, each.name) for each in attrs.fields(OpNames)}


def op_names(op: Op, programs: Sequence[Program]) -> OpNames:
    """The words for ``op``; shapes only where the profile carries its HLO."""
    category, shape, operand_shapes = op.category, "", tuple[str, ...]()
    scope, primitive = scope_and_primitive(op.op_name)
    if op.module is not None and op.instruction is not None:
        category = category or category_of(op.module, op.instruction)
        shape = shape_text(op.instruction.shape)
        operands = map(op.module.instructions.__getitem__, op.instruction.operands)
        operand_shapes = tuple(shape_text(each.shape) for each in operands)
        primitive = primitive_of(op.module, op.instruction) or primitive
    return OpNames(
        name=op.name,
        category=category,
        program_id=programs[op.program].program_id if op.program >= 0 else "",
        primitive=primitive,
        scope=scope,
        shape=shape,
        operand_shapes=operand_shapes,
    )


def scope_and_primitive(op_name: str) -> tuple[str, str]:
    """``jit(step)/mlp/dot_general[precision=None]`` as ``jit(step)/mlp`` and ``dot_general``.

    Of several names joined by ``;`` the first counts. A name without a path is that of a parameter: it has neither.
    What XLA adds around a call, or a loop, has the name of that: it is all scope, and no primitive. A collective that
    it combined of several has the scope that they share, and their primitive where they have one.
    """
    for _ in range(_DEEPEST_BRACKETS):
        if "[" not in op_name:
            break
        op_name = _BRACKETED.sub("", op_name)
    path = op_name.partition("[")[0].partition(";")[0]
    combined = _COMBINED.fullmatch(path)
    if combined is not None:
        primitives = {end.rpartition("/")[2] for end in combined[2].split(":")}
        return combined[1] or "", primitives.pop() if len(primitives) == 1 else ""
    scope, _, primitive = path.rpartition("/")
    if not scope:
        return "", ""
    return (path, "") if "(" in primitive or primitive in _CALLS else (scope, primitive)


def shape_text(shape: Shape) -> str:
    """``f32[8,128]``, a tuple as ``(f32[8], s32[])`` with its first sixteen parts."""
    if not shape.tuple_shapes:
        if shape.element_type == "tuple":
            return "()"
        return f"{shape.element_type}[{','.join(map(str, shape.dimensions))}]"
    parts = [shape_text(part) for part in shape.tuple_shapes[:_MOST_PARTS]]
    if len(shape.tuple_shapes) > _MOST_PARTS:
        parts.append("…")
    return f"({', '.join(parts)})"


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


def primitive_of(module: HloModule, instruction: Instruction) -> str:
    """What jax calls it, ``dot_general``; empty where it has no name.

    XLA gives a product the name of the transpose that it folds into it: it is the product all the same.
    """
    primitive = scope_and_primitive(instruction.op_name)[1]
    if primitive == "transpose":
        main = main_instruction(module, instruction)
        if main.dot is not None or main.opcode in DOTS:
            return "dot_general"
        if main.convolution is not None or main.opcode == "convolution":
            return "conv_general_dilated"
    return primitive


def kind_of_op(module: HloModule, instruction: Instruction) -> str:
    """``dot_general``, ``reduce_sum``; the opcode of what only moves data, or that jax has no name for."""
    opcode = instruction.opcode
    if opcode in _MOVING or opcode.endswith(_ASYNCHRONOUS):
        return opcode
    return primitive_of(module, instruction) or opcode


def kind_of_name(name: str, op_name: str) -> str:
    """The kind of an op of which nothing but its names is known."""
    return scope_and_primitive(op_name)[1] or _NUMBER.sub("", name)
