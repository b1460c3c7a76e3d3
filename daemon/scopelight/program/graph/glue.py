"""Glue: instructions that compute nothing, through which values reach who reads them, and the two ends of one op."""

from collections.abc import Sequence

from scopelight.program.hlo.nouns import HloModule, Instruction

GLUE = frozenset(
    (
        *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "opt-barrier", "optimization-barrier"),
        *("after-all", "add-dependency", "partition-id", "replica-id"),
    )
)
"""Opcodes that are no nodes."""
HANDING_ON = frozenset(("bitcast", "opt-barrier", "optimization-barrier", "add-dependency"))
"""Those that hand on their first operand as it is."""
OPENED = frozenset(("fusion", "while", "conditional", "call", "async-start"))
"""Opcodes of ops that can be looked into: what they call are computations of ops, not functions of an element."""
_ENDS = ("-done", "-update")
_BEGINNINGS = ("-start", "-update", "send", "recv")


def nodes_of(module: HloModule) -> Sequence[int]:
    """By row of an instruction the row that stands for it: its own, of the end of an asynchronous op that of its start.

    -1 of glue.
    """
    found: list[int] = []
    instructions = module.instructions
    for row, each in enumerate(instructions):
        if each.opcode in GLUE:
            found.append(-1)
            continue
        start = _start_of(module, each)
        # An end that comes before its start is a hostile file's.
        found.append(found[start] if start is not None and 0 <= start < row and found[start] >= 0 else row)
    return found


def _start_of(module: HloModule, each: Instruction) -> int | None:
    """The row of what an instruction is the end of."""
    if not each.opcode.endswith(_ENDS) or not each.operands:
        return None
    start = module.instructions[each.operands[0]]
    is_start = start.opcode.endswith(_BEGINNINGS) and start.computation == each.computation
    return each.operands[0] if is_start else None
