"""Which results of an op lie where one of its operands lay, as the compiler wrote it on the op.

``output_operand_aliasing`` (in text ``output_to_operand_aliasing={{0}: (2, {1})}``) is on fusions and custom calls:
result ``{0}`` lies in part ``{1}`` of operand 2. XLA:TPU writes ``aliasing_operands`` into the configuration of an op:
lists of numbers that share memory, first those of the operands, then, from the count of operands on, those of the
result's arrays.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scopelight.program.hlo.dimensions import MAXIMUM_CONFIGURATION_BYTES
from scopelight.program.memory.buffers import OperandAlias

MOST_INDICES = 100
"""Tuples nested deeper than messages can be are in no file."""

_CONFIGURED = b"aliasing_operands"
_Message = Any


def operand_aliases(module: _Message) -> Mapping[int, Sequence[OperandAlias]]:
    """By row of the instruction, of an ``HloModuleProto``. That an index names nothing is for the reader to see."""
    instructions = (each for computation in module.computations for each in computation.instructions)
    found = ((row, tuple(_aliases(each))) for row, each in enumerate(instructions))
    return {row: aliases for row, aliases in found if aliases}


def _aliases(instruction: _Message) -> Iterator[OperandAlias]:
    for each in instruction.output_operand_aliasing:
        yield OperandAlias(
            tuple(each.output_shape_index[:MOST_INDICES]),
            each.operand_index,
            tuple(each.operand_shape_index[:MOST_INDICES]),
        )
    if _CONFIGURED in instruction.backend_config and len(instruction.backend_config) <= MAXIMUM_CONFIGURATION_BYTES:
        count = len(instruction.operand_ids)
        for operand, output in _configured(instruction.backend_config, count):
            yield OperandAlias((output,) if instruction.shape.tuple_shapes else (), operand, ())


def _configured(text: bytes, operands: int) -> Iterator[tuple[int, int]]:
    """Operand and place in the result of each pair that shares memory."""
    try:
        for each in json.loads(text)[_CONFIGURED.decode()]["lists"]:
            numbers = [int(number) for number in each["indices"]]
            sources = [number for number in numbers if 0 <= number < operands]
            if sources:
                yield from ((sources[0], number - operands) for number in numbers if number >= operands)
    except (ValueError, TypeError, LookupError, RecursionError):
        # Not a configuration as it is known: nothing is known of this op.
        return
