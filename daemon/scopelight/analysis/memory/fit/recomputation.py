"""Recomputation: what the forward pass keeps for the backward pass, and could be computed again there."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.fit.planned import Piece, PlannedProgram
from scopelight.analysis.totals.names import primitive_of
from scopelight.program.phases.phase import Phase

_MOST_LINES: Final = 3
_COPYING: Final = frozenset(("convert", "copy", "copy-start", "copy-done", "transpose", "bitcast", "get-tuple-element"))
_MOST_COPIES: Final = 10
_SLICING: Final = frozenset(("dynamic-slice", "slice", "bitcast", "copy", "copy-start", "copy-done"))
_SLICING_PRIMITIVES: Final = frozenset(("dynamic_slice", "slice", "squeeze", "gather"))
_MOST_SLICES: Final = 3
"""Ops in a row that only take a part."""


def recomputation(program: PlannedProgram) -> Iterator[Advice]:
    """By line at most all that it keeps: what it is computed from may have to be kept instead."""
    lines: dict[tuple[str | None, int], list[Piece]] = defaultdict(list)
    for each in (*program.pieces, *program.within_results):
        row = each.row
        if row.is_residual and row.line is not None and _is_of_use(program, each):
            lines[row.file, row.line].append(each)
    largest = sorted(lines.values(), key=lambda pieces: -sum(each.row.bytes for each in pieces))
    for pieces in largest[:_MOST_LINES]:
        first = max((each.row for each in pieces), key=lambda row: row.bytes)
        kept_bytes = sum(each.row.bytes for each in pieces)
        yield program.advice(
            "checkpoint-to-fit", kept_bytes, first, buffers=len(pieces), largest_shape=first.shape or None
        )


def _is_of_use(program: PlannedProgram, piece: Piece) -> bool:
    """Whether computing it again would save it: neither a copy of an argument, which the compiler made once for both
    passes, nor what something else is computed again from."""
    return not _is_copy_of_argument(program, piece) and not _is_for_recomputing(program, piece)


def _is_copy_of_argument(program: PlannedProgram, piece: Piece) -> bool:
    instructions = program.memory.module.instructions
    found = program.instruction(piece.buffer)
    for _ in range(_MOST_COPIES):
        if found is None or found.opcode not in _COPYING or not found.operands:
            break
        found = instructions[found.operands[0]]
        if found.opcode == "parameter":
            return True
    return False


def _is_for_recomputing(program: PlannedProgram, piece: Piece) -> bool:
    memory = program.memory
    readers = {
        reader for buffer in (piece.buffer, *memory.holders.get(piece.buffer, ())) for reader in memory.readers(buffer)
    }
    # A pass of a loop takes its part first, which is what then is read.
    for _ in range(_MOST_SLICES):
        readers |= {later for each in readers if _is_part(program, each) for later in _readers_of(program, each)}
    return any(memory.phases[each] == Phase.RECOMPUTE for each in readers)


def _is_part(program: PlannedProgram, row: int) -> bool:
    memory = program.memory
    found = memory.module.instructions[row]
    return memory.phases[row] == Phase.BACKWARD and (
        found.opcode in _SLICING or primitive_of(memory.module, found) in _SLICING_PRIMITIVES
    )


def _readers_of(program: PlannedProgram, row: int) -> Iterator[int]:
    memory = program.memory
    for path in memory.module.instructions[row].shape.array_paths:
        value = memory.flow.value_at(memory.module, row, tuple(path))
        if value is not None:
            yield from memory.flow.readers[value]
