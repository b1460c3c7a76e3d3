"""Tiles: what an array takes in memory with its layout's tiles, and the layout that a TPU would give it.

A tiled layout cuts an array, its dimensions ordered from major to minor, into tiles and rounds its sizes up to them.
A further tile cuts the tile before it in the same way: ``T(8,128)(2,1)`` packs two rows of 16-bit values into one. See
XLA's "Tiled layout" documentation. For the fit of products to the matrix unit see ``matrix_unit``.
"""

import itertools
import math
from collections.abc import Sequence
from typing import Literal

import attrs

from scopelight.legible import Legible
from scopelight.program.hlo.nouns import Layout, Shape
from scopelight.program.hlo.sizes import element_bits

DimensionRole = Literal["batch", "feature", "spatial", "contracting"]
"""What a dimension is for: as dots and convolutions name them, otherwise by its place."""

COMBINED = -(2**63)
"""A tile's entry ``*``: the dimension is merged with the next minor one before it is cut."""

MOST_TILES = 16
"""More tiles inside each other than this no layout has."""

MAXIMUM_PADDED_ELEMENTS = 2**62
"""No memory holds an array that its tiles pad to more elements than this."""

_WIDEST_ELEMENT_BITS = 1024
_MOST_TRIED = 8


@attrs.frozen(slots=True, repr=False)
class DimensionPadding(Legible):
    """One dimension: its size, its size rounded up, the multiple that it is rounded up to, and what it is for."""

    size: int
    padded: int
    tile: int
    role: DimensionRole


@attrs.frozen(slots=True, repr=False)
class TileRules(Legible):
    """How a kind of TPU tiles arrays: the lanes and sublanes of its vector registers, of 32 bits each."""

    lanes: int = 128
    sublanes: int = 8


def padded_elements(shape: Shape) -> int:
    """Elements of an array with its layout's padding; without a layout or tiles the elements themselves."""
    layout = shape.layout
    if layout is None or 0 in shape.dimensions:
        return math.prod(shape.dimensions)
    elements = math.prod(size for size, _ in _tiled(shape.dimensions, layout))
    return _rounded_up(elements, max(1, layout.tail_padding_elements))


def padded_byte_size(shape: Shape) -> int:
    """Bytes of an array with its layout's padding; for a tuple the sum over its leaves."""
    if shape.tuple_shapes:
        return sum(map(padded_byte_size, shape.tuple_shapes))
    return -(-padded_elements(shape) * element_bits(shape) // 8)


def layout_padding(shape: Shape, roles: Sequence[DimensionRole] | None = None) -> tuple[DimensionPadding, ...]:
    """Size and padded size of every dimension of an array, in the shape's order; none for a tuple.

    ``roles`` are those of the dimensions, by place where they are not told: the first is the batch, the last the
    features. The padded sizes multiply to `padded_elements`, but for a scalar, which has no dimensions and takes a
    tile, and padding at the end of the whole array.
    """
    rank = len(shape.dimensions)
    if roles is None or len(roles) != rank:
        roles = roles_by_place(rank)
    if shape.layout is None or not shape.layout.tiles or 0 in shape.dimensions:
        padded, tiles = list(shape.dimensions), [1] * rank
    else:
        padded = _extents(shape.dimensions, shape.layout)
        # What one element takes is the multiple that sizes are rounded up to.
        tiles = _extents([1] * rank, shape.layout)
    return tuple(map(DimensionPadding, shape.dimensions, padded, tiles, roles))


def roles_by_place(rank: int) -> tuple[DimensionRole, ...]:
    """Roles of the dimensions of an array of which nothing is known but its rank."""
    first: DimensionRole = "batch"
    middle: DimensionRole = "spatial"
    last: DimensionRole = "feature"
    return (first, *[middle] * (rank - 2), last) if rank > 1 else (last,) * rank


def is_possible_layout(dimensions: Sequence[int], layout: Layout) -> bool:
    """Whether an array of these dimensions may lie so: only what is a layout at all can be computed with."""
    if len(layout.tiles) > MOST_TILES or not 0 <= layout.element_size_bits <= _WIDEST_ELEMENT_BITS:
        return False
    for tile in layout.tiles:
        if len(tile) > len(dimensions) + MOST_TILES or any(extent < 1 and extent != COMBINED for extent in tile):
            return False
        if math.prod(extent for extent in tile if extent != COMBINED) > MAXIMUM_PADDED_ELEMENTS:
            return False
    array = Shape("pred", tuple(dimensions), layout=layout)
    return layout.tail_padding_elements >= 0 and padded_elements(array) <= MAXIMUM_PADDED_ELEMENTS


def predicted_tiles(shape: Shape, rules: TileRules) -> tuple[tuple[int, ...], ...]:
    """The tiles that a TPU's compiler gives an array whose dimensions lie in the order of its layout.

    Rows of 128 lanes, and eight of them, less where the array has less: the second minor dimension is rounded up to 1,
    2, 4 or 8, an array of one dimension to the next power of two of lanes up to eight rows. Narrow elements are packed,
    two of 16 bits or four of 8 in one lane. So are the layouts of the programs compiled for a TPU v5e and v6e that the
    tests hold.
    """
    packing = max(1, 32 // max(1, element_bits(shape)))
    packed = ((packing, 1),) if packing > 1 else ()
    order = _order(shape.dimensions, shape.layout)
    if len(order) >= 2:
        rows = min(rules.sublanes, max(packing, _power_of_two(shape.dimensions[order[-2]])))
        return ((rows, rules.lanes), *packed)
    if not order:
        return ((rules.lanes * packing,),)
    least, most = rules.lanes * packing, rules.lanes * rules.sublanes
    extent = max(least, min(most, _power_of_two(shape.dimensions[order[0]])))
    return ((extent,), (rules.lanes,), *packed) if packed else ((extent,),)


def predicted_shape(shape: Shape, rules: TileRules) -> Shape:
    """The array ``shape`` as it would lie in the memory of a TPU.

    The compiler is free in the order of the dimensions: of the orders the one with the least padding is taken, its own
    where no other is better, so that the padding is not overstated. A tuple's parts are predicted one by one.
    """
    if shape.tuple_shapes:
        return attrs.evolve(shape, tuple_shapes=tuple(predicted_shape(each, rules) for each in shape.tuple_shapes))
    if not element_bits(shape):
        return shape
    own = _order(shape.dimensions, shape.layout)
    best = _tiled_by_rule(shape, own, rules)
    least, elements = padded_elements(best), math.prod(shape.dimensions)
    # The longest dimensions lose the least; no more of them are tried, for files may name any number.
    longest = sorted(own, key=lambda each: -shape.dimensions[each])[:_MOST_TRIED]
    for minor, second in itertools.permutations(longest, 2):
        if least == elements:
            break
        order = [*(each for each in own if each not in (minor, second)), second, minor]
        candidate = _tiled_by_rule(shape, order, rules)
        if padded_elements(candidate) < least:
            best, least = candidate, padded_elements(candidate)
    return best


def _tiled_by_rule(shape: Shape, order: Sequence[int], rules: TileRules) -> Shape:
    bits = shape.layout.element_size_bits if shape.layout else 0
    layout = Layout(minor_to_major=tuple(reversed(order)), element_size_bits=bits)
    tiles = predicted_tiles(attrs.evolve(shape, layout=layout), rules)
    return attrs.evolve(shape, layout=attrs.evolve(layout, tiles=tiles))


def _power_of_two(size: int) -> int:
    """The least power of two that is not less than ``size``."""
    return 1 << max(0, size - 1).bit_length()


def _rounded_up(size: int, multiple: int) -> int:
    return -(-size // multiple) * multiple


def _order(dimensions: Sequence[int], layout: Layout | None) -> list[int]:
    """Dimensions from major to minor; a layout that does not name each once counts as the usual order."""
    usual = list(range(len(dimensions)))
    order = list(reversed(layout.minor_to_major)) if layout is not None else usual
    return order if sorted(order) == usual else usual


def _extents(dimensions: Sequence[int], layout: Layout) -> list[int]:
    """Padded size of every dimension."""
    extents = [1] * len(dimensions)
    for size, dimension in _tiled(dimensions, layout):
        if dimension >= 0:
            extents[dimension] *= size
    return extents


def _tiled(dimensions: Sequence[int], layout: Layout) -> list[tuple[int, int]]:
    """The physical sizes after all tiles, each with the dimension that it is a part of; -1 in a scalar."""
    cut = [(dimensions[each], each) for each in _order(dimensions, layout)]
    innermost = cut[-1][1] if cut else -1
    for tile in layout.tiles:
        # A tile of more dimensions than the array has cuts dimensions of size 1 in front of it.
        cut = [(1, innermost)] * (len(tile) - len(cut)) + cut
        kept, tiled = cut[: len(cut) - len(tile)], cut[len(cut) - len(tile) :]
        merged: list[tuple[int, int]] = []
        extents: list[int] = []
        factor = 1
        for (size, dimension), extent in zip(tiled, tile, strict=True):
            if extent == COMBINED:
                factor *= size
                continue
            merged.append((size * factor, dimension))
            extents.append(extent)
            factor = 1
        outer = [(-(-size // extent), each) for (size, each), extent in zip(merged, extents, strict=True)]
        inner = [(extent, each) for (_, each), extent in zip(merged, extents, strict=True)]
        cut = [*kept, *outer, *inner, *([(factor, innermost)] if factor > 1 else ())]
    return cut
