"""Sharding: what a program that runs on one device of several keeps whole, and has an axis that they could divide."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.fit.planned import Piece, PlannedProgram

_MOST_ARGUMENTS: Final = 3


def sharding(program: PlannedProgram) -> Iterator[Advice]:
    """By argument, then of all that the program itself makes; each at best divided evenly, without copies."""
    if program.partitions > 1 or program.devices < 2:
        return
    divisible = [each for each in program.pieces if _axis(each, program.devices) is not None]
    arguments: dict[str, list[Piece]] = defaultdict(list)
    for each in divisible:
        if each.argument is not None:
            arguments[each.argument].append(each)
    largest = sorted(arguments.items(), key=lambda each: -_bytes(each[1]))
    for name, pieces in largest[:_MOST_ARGUMENTS]:
        yield program.advice(
            "shard-argument-to-fit",
            _saved(pieces, program.devices),
            None,
            argument=name,
            arrays=len(pieces),
            held_bytes=_bytes(pieces),
            devices=program.devices,
        )
    made = [each for each in divisible if each.row.category in ("temporary", "output")]
    if made:
        lines: dict[tuple[str | None, int], list[Piece]] = defaultdict(list)
        for each in made:
            if each.row.line is not None:
                lines[each.row.file, each.row.line].append(each)
        most = max(lines.values(), key=_bytes, default=None)
        yield program.advice(
            "shard-temporaries-to-fit",
            _saved(made, program.devices),
            max((each.row for each in most), key=lambda row: row.bytes) if most is not None else None,
            buffers=len(made),
            held_bytes=_bytes(made),
            devices=program.devices,
        )


def least_when_sharded(program: PlannedProgram) -> int | None:
    """What each device would need at best if all were divided that can be; None where that is not to be said."""
    if program.partitions > 1 or program.devices < 2:
        return None
    divisible = [each for each in program.pieces if _axis(each, program.devices) is not None]
    return program.needed_bytes - _saved(divisible, program.devices)


def _axis(piece: Piece, devices: int) -> int | None:
    """An axis that so many devices divide evenly."""
    shape = piece.shape
    if shape is None or shape.tuple_shapes:
        return None
    return next((axis for axis, size in enumerate(shape.dimensions) if size and size % devices == 0), None)


def _bytes(pieces: Sequence[Piece]) -> int:
    return sum(each.row.bytes for each in pieces)


def _saved(pieces: Sequence[Piece], devices: int) -> int:
    return sum(each.row.bytes - -(-each.row.bytes // devices) for each in pieces)
