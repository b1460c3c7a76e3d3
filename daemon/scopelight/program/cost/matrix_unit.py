"""How the dimensions of a dot or convolution fit the matrix unit of a TPU.

The unit is a systolic array: it holds a block of one operand, as many contracted values as it has rows by as many
features as it has columns, and the rows of the other operand are streamed through it. What does not fill a block is
padded. A dimension enters the unit by itself: where several are contracted, or make the features, the compiler gives
the last of them to the unit and takes the others one position after the other (as it does in the programs compiled for
a TPU v5e and v6e that the tests hold). Rows are streamed, so all their dimensions count as one.
"""

import math
from collections.abc import Sequence

import attrs

from scopelight.program.cost.block_products import BlockProduct, block_product
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.sizes import element_bits
from scopelight.program.hlo.tiling import DimensionPadding, DimensionRole

_SUBLANES = 8
"""Rows of 32-bit values are streamed eight at a time, of narrower ones as many more as fit."""


@attrs.frozen(slots=True)
class ProductPadding:
    """How a dot or convolution fits the matrix unit.

    ``dims`` begins with rows, contracted dimension and columns; what follows enters the unit position by position and
    is not padded. ``used_ratio`` is ``flops`` over ``padded_flops``.
    """

    dims: tuple[DimensionPadding, ...]
    used_ratio: float
    flops: int
    padded_flops: int

    @property
    def text(self) -> str:
        """The block product: ``[rows,contracted]x[contracted,columns]``."""
        rows, contracted, columns = (each.size for each in self.dims[:3])
        return f"[{rows},{contracted}]x[{contracted},{columns}]"


def product_padding(module: HloModule, instruction: Instruction, matrix_unit: tuple[int, int]) -> ProductPadding | None:
    """How a dot or convolution fits a matrix unit of so many rows and columns.

    Library calls that are dots or convolutions (cuBLAS, cuDNN) count as such. None for any other instruction, and where
    `block_product` has none. The rows of a ragged dot count as one block, though each group's are one of their own.
    """
    product = block_product(module, instruction)
    if product is None or min(matrix_unit) < 1:
        return None
    bits = element_bits(module.instructions[instruction.operands[0]].shape)
    if not bits:
        return None
    dims = _best(product, _SUBLANES * max(1, 32 // bits), matrix_unit)
    size, padded = math.prod(each.size for each in dims), math.prod(each.padded for each in dims)
    return ProductPadding(
        dims=dims, used_ratio=size / padded, flops=product.flops, padded_flops=product.flops * padded // size
    )


def _best(product: BlockProduct, sublanes: int, matrix_unit: tuple[int, int]) -> tuple[DimensionPadding, ...]:
    """The dimensions with either operand held by the unit, whichever is padded less; the right one where both are."""
    held_right = _padded(product, sublanes, matrix_unit, rows_streamed=True)
    held_left = _padded(product, sublanes, matrix_unit, rows_streamed=False)
    return min(held_right, held_left, key=lambda dims: math.prod(each.padded for each in dims))


def _padded(
    product: BlockProduct, sublanes: int, matrix_unit: tuple[int, int], *, rows_streamed: bool
) -> tuple[DimensionPadding, ...]:
    streamed, held = (product.rows, product.columns) if rows_streamed else (product.columns, product.rows)
    roles: tuple[DimensionRole, DimensionRole] = ("batch", "feature") if rows_streamed else ("feature", "batch")
    whole = _dimension(math.prod(streamed), sublanes, roles[0])
    block = _dimension(_last(held), matrix_unit[1], roles[1])
    rows, columns = (whole, block) if rows_streamed else (block, whole)
    rest: list[tuple[int, DimensionRole]] = [
        *((size, "contracting") for size in product.contracted[:-1]),
        *((size, roles[1]) for size in held[:-1]),
        *product.others,
    ]
    return (
        rows,
        _dimension(_last(product.contracted), matrix_unit[0], "contracting"),
        columns,
        *(DimensionPadding(size, size, 1, role) for size, role in rest if size > 1),
    )


def _dimension(size: int, tile: int, role: DimensionRole) -> DimensionPadding:
    return DimensionPadding(size, -(-size // tile) * tile, tile, role)


def _last(sizes: Sequence[int]) -> int:
    return sizes[-1] if sizes else 1
