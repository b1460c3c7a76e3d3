"""What padding becomes when a dimension gets another size."""

import math
from collections.abc import Collection, Mapping, Sequence

import attrs

from scopelight.analysis.padding.records import PaddingRow
from scopelight.program.hlo.tiling import DimensionPadding

MOST_GROWTH = 4
"""A size that fits is worth offering up to this many times the present one: beyond, it is another model."""


@attrs.frozen(slots=True)
class Resizing:
    """The used ratio of a row before and after."""

    row: PaddingRow
    used_before_ratio: float
    used_after_ratio: float


def common_tiles(rows: Sequence[PaddingRow]) -> Mapping[int, int]:
    """By each size that a row has, the least number that is a multiple of all tiles that dimensions of it are in."""
    tiles: dict[int, int] = {}
    for row in rows:
        for each in row.dims:
            tiles[each.size] = math.lcm(tiles.get(each.size, 1), max(1, each.tile))
    return tiles


def next_multiple(size: int, tile: int) -> int:
    """``size`` rounded up to whole tiles."""
    return -(-size // max(1, tile)) * max(1, tile)


def is_worth_offering(size: int, new_size: int) -> bool:
    """Whether to advise ``new_size``: a batch of 8 is not to become one of 128 because the unit has room for it."""
    return size < new_size <= MOST_GROWTH * size


def resize(rows: Sequence[PaddingRow], size: int, new_size: int) -> tuple[Resizing, ...]:
    """Every row that has a dimension of ``size``, and how much of it is used where that is ``new_size``."""
    return tuple(
        Resizing(row, used_ratio([*row.dims]), used_ratio([_resized(each, size, new_size) for each in row.dims]))
        for row in rows
        if any(each.size == size for each in row.dims)
    )


def fits_better(resizings: Sequence[Resizing]) -> bool:
    """Whether no row is used less than before, and one is used more."""
    return all(each.used_after_ratio >= each.used_before_ratio for each in resizings) and any(
        each.used_after_ratio > each.used_before_ratio for each in resizings
    )


def fitting(row: PaddingRow, sizes: Collection[int]) -> PaddingRow:
    """A row as though its dimensions of ``sizes`` fit: what is left of its padding, whatever they are now.

    How many bytes are left is not known without those sizes.
    """
    if not any(each.size in sizes and each.padded > each.size for each in row.dims):
        return row
    dims = tuple(attrs.evolve(each, padded=each.size) if each.size in sizes else each for each in row.dims)
    return attrs.evolve(row, dims=dims, used_ratio=used_ratio(dims), extra_bytes=None)


def _resized(dimension: DimensionPadding, size: int, new_size: int) -> DimensionPadding:
    if dimension.size != size:
        return dimension
    return attrs.evolve(dimension, size=new_size, padded=next_multiple(new_size, dimension.tile))


def used_ratio(dimensions: Sequence[DimensionPadding]) -> float:
    """The share of the padded size of dimensions that is used, over all of them."""
    padded = math.prod(each.padded for each in dimensions)
    return math.prod(each.size for each in dimensions) / padded if padded else 1.0
