"""What an op is called: its primitive, scope and shapes, as the records of lines write them."""

import re
from collections.abc import Sequence

import attrs

from scopelight.model.executions import Op, Program
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import Shape

_BRACKETED = re.compile(r"\[[^\[\]]*\]")
_DEEPEST_BRACKETS = 8
_MOST_PARTS = 16


@attrs.frozen(slots=True)
class OpNames:
    """The words of a `LineOpRecord`."""

    name: str
    category: str
    program_id: str
    primitive: str
    scope: str
    shape: str
    operand_shapes: tuple[str, ...]


def op_names(op: Op, programs: Sequence[Program]) -> OpNames:
    """The words for ``op``; shapes only where the profile carries its HLO."""
    category, shape, operand_shapes = op.category, "", tuple[str, ...]()
    op_name = op.op_name
    if op.module is not None and op.instruction is not None:
        category = category or category_of(op.module, op.instruction)
        op_name = op.instruction.op_name or op_name
        shape = shape_text(op.instruction.shape)
        operands = map(op.module.instructions.__getitem__, op.instruction.operands)
        operand_shapes = tuple(shape_text(each.shape) for each in operands)
    scope, primitive = scope_and_primitive(op_name)
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
    """
    for _ in range(_DEEPEST_BRACKETS):
        if "[" not in op_name:
            break
        op_name = _BRACKETED.sub("", op_name)
    scope, _, primitive = op_name.partition("[")[0].partition(";")[0].rpartition("/")
    return (scope, primitive) if scope else ("", "")


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
