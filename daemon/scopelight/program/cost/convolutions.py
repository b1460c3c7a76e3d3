"""FLOPs of a convolution, positions in the padding excluded."""

from scopelight.program.cost.windows import valid_positions
from scopelight.program.hlo.nouns import ConvolutionDimensions, Instruction, Shape
from scopelight.program.hlo.sizes import first_array


def convolution_flops(convolution: Instruction, first: Shape, second: Shape) -> int:
    """FLOPs of a convolution, or a library's call that is one, of two arrays: two for each product of their elements.

    Products with padding and with the holes of dilation are not counted, as in XLA's ``HloCostAnalysis``. In all passes
    the same pairs of elements are multiplied. Zero where the dimension numbers do not fit the shapes.
    """
    lhs, rhs, result = forward_arrays(convolution, first, second)
    numbers = fitting_dimensions(convolution, lhs, rhs, result)
    if numbers is None:
        return 0
    positions = 1
    for window, input_dimension, output_dimension in zip(
        convolution.window, numbers.input_spatial, numbers.output_spatial, strict=True
    ):
        positions *= valid_positions(lhs.dimensions[input_dimension], result.dimensions[output_dimension], window)
    batch = lhs.dimensions[numbers.input_batch] // convolution.batch_group_count
    kernel_features = rhs.dimensions[numbers.kernel_input_feature] * rhs.dimensions[numbers.kernel_output_feature]
    return 2 * batch * kernel_features * positions


def forward_arrays(convolution: Instruction, first: Shape, second: Shape) -> tuple[Shape, Shape, Shape]:
    """Input, kernel and output of the forward convolution.

    The dimensions that a custom call of cuDNN or MIOpen names are the forward convolution's in both backward passes
    too: there one of the two operands is the gradient of the output, and the result is that of the input or the kernel.
    """
    result = first_array(convolution.shape)
    if "BackwardInput" in convolution.custom_call_target:
        return result, second, first
    if "BackwardFilter" in convolution.custom_call_target:
        return first, result, second
    return first, second, result


def fitting_dimensions(convolution: Instruction, lhs: Shape, rhs: Shape, result: Shape) -> ConvolutionDimensions | None:
    """The dimension numbers of a convolution; None where they do not fit the ranks of its arrays."""
    numbers = convolution.convolution
    if numbers is None:
        return None
    fits = (
        len(convolution.window) == len(numbers.input_spatial) == len(numbers.output_spatial)
        and max(numbers.input_batch, numbers.input_feature, *numbers.input_spatial) < len(lhs.dimensions)
        and max(numbers.kernel_input_feature, numbers.kernel_output_feature) < len(rhs.dimensions)
        and max(numbers.output_batch, numbers.output_feature, *numbers.output_spatial) < len(result.dimensions)
    )
    return numbers if fits else None
