"""Padding: what arrays at the peak take beyond their elements, for the device's tiles are larger."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.fit.planned import Piece, PlannedProgram

_MOST: Final = 3


def padding(program: PlannedProgram) -> Iterator[Advice]:
    """By line, or argument, at most all of its padding: where sizes are multiples of the tiles there is none."""
    places: dict[tuple[str | None, int | None, str | None], list[Piece]] = defaultdict(list)
    for each in program.pieces:
        row = each.row
        if row.line is not None or each.argument is not None:
            places[row.file, row.line, None if row.line is not None else each.argument].append(each)
    for (_, line, argument), pieces in sorted(places.items(), key=lambda each: -_padding(each[1]))[:_MOST]:
        if padding_bytes := _padding(pieces):
            first = max((each.row for each in pieces), key=lambda row: row.bytes - row.unpadded_bytes)
            yield program.advice(
                "pad-less-to-fit",
                padding_bytes,
                first if line is not None else None,
                argument=argument,
                padded_shape=first.shape or None,
                padded_bytes=first.bytes,
                unpadded_bytes=first.unpadded_bytes,
            )


def _padding(pieces: Sequence[Piece]) -> int:
    return sum(each.row.bytes - each.row.unpadded_bytes for each in pieces)
