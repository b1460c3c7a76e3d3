"""Block products: the product [rows, contracted] x [contracted, columns] that a dot or convolution is.

A grouped convolution is a product for each of its groups, of their part of the features. A library's convolution names
the dimensions of the forward one in all its passes; the product is that of the pass.
"""

import math

import attrs

from scopelight.program.cost.convolutions import convolution_flops, fitting_dimensions, forward_arrays
from scopelight.program.cost.windows import valid_positions
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.tiling import DimensionRole


@attrs.define(slots=True)
class BlockProduct:
    """Sizes of a product: of the left operand's rows, the contracted dimensions, the right operand's features.

    The last of each is the one that enters the unit. ``others`` are products of their own. ``flops`` are those of one
    execution, without positions in the padding.
    """

    rows: list[int] = attrs.field(factory=list)
    contracted: list[int] = attrs.field(factory=list)
    columns: list[int] = attrs.field(factory=list)
    others: list[tuple[int, DimensionRole]] = attrs.field(factory=list)
    flops: int = 0


def block_product(module: HloModule, instruction: Instruction) -> BlockProduct | None:
    """The product that an instruction is; None where it is none, is empty, or its dimensions do not tell.

    They do not tell how many values of a contracted dimension each group of a ragged dot has.
    """
    if len(instruction.operands) < 2:
        return None
    lhs, rhs = (module.instructions[row].shape for row in instruction.operands[:2])
    product = None
    if instruction.dot is not None and instruction.opcode in ("dot", "ragged-dot", "custom-call"):
        product = _of_dot(instruction, lhs, rhs)
        if product is not None:
            product.flops = 2 * _volume(product)
    elif instruction.opcode in ("convolution", "custom-call"):
        product = _of_convolution(instruction, lhs, rhs)
        if product is not None:
            product.flops = convolution_flops(instruction, lhs, rhs)
    return product if product is not None and product.flops > 0 else None


def _volume(product: BlockProduct) -> int:
    sizes = (*product.rows, *product.contracted, *product.columns, *(size for size, _ in product.others))
    return math.prod(sizes)


def _of_dot(instruction: Instruction, lhs: Shape, rhs: Shape) -> BlockProduct | None:
    dot = instruction.dot
    if dot is None or set(dot.lhs_ragged) & set(dot.lhs_contracting):
        return None
    of_lhs, of_rhs = {*dot.lhs_contracting, *dot.lhs_batch}, {*dot.rhs_contracting, *dot.rhs_batch, *dot.rhs_group}
    if max(of_lhs, default=-1) >= len(lhs.dimensions) or max(of_rhs, default=-1) >= len(rhs.dimensions):
        return None
    return BlockProduct(
        rows=[size for each, size in enumerate(lhs.dimensions) if each not in of_lhs],
        contracted=[lhs.dimensions[each] for each in dot.lhs_contracting],
        columns=[size for each, size in enumerate(rhs.dimensions) if each not in of_rhs],
        others=[(lhs.dimensions[each], "batch") for each in dot.lhs_batch],
    )


def _of_convolution(instruction: Instruction, first: Shape, second: Shape) -> BlockProduct | None:
    lhs, rhs, result = forward_arrays(instruction, first, second)
    numbers = fitting_dimensions(instruction, lhs, rhs, result)
    if numbers is None:
        return None
    groups = max(1, instruction.feature_group_count) * max(1, instruction.batch_group_count)
    columns = rhs.dimensions[numbers.kernel_output_feature]
    if columns % groups:
        return None
    output = result.dimensions
    product = BlockProduct()
    for window, of_input, of_output in zip(
        instruction.window, numbers.input_spatial, numbers.output_spatial, strict=True
    ):
        size, positions = lhs.dimensions[of_input], output[of_output]
        met = valid_positions(size, positions, window)
        # A TPU's compiler writes dots as convolutions; their further dimensions are spatial ones of these kinds.
        if window.size == 1:
            product.rows.append(positions)
        elif positions == 1:
            product.contracted.append(window.size)
        elif size == 1 and met == positions:
            product.columns.append(positions)
        elif met == positions == window.size == size:
            product.others.append((positions, "batch"))
        else:
            product.rows.append(positions)
            product.others.append((window.size, "spatial"))
    # The kernel's input features, and the output's batch, are already those of one group.
    product.rows.append(output[numbers.output_batch])
    product.contracted.append(rhs.dimensions[numbers.kernel_input_feature])
    product.columns.append(columns // groups)
    if groups > 1:
        product.others.append((groups, "feature"))
    if "BackwardInput" in instruction.custom_call_target:
        # Each position of the input has its features from those of the outputs that met it.
        product.contracted, product.columns = product.columns, product.contracted
    elif "BackwardFilter" in instruction.custom_call_target:
        # Input features by output features, summed over batch and positions, for each position of the window.
        product.rows, product.contracted = product.contracted, product.rows
    return product
