"""FLOPs of a convolution, positions in the padding excluded."""

import math

from scopelight.program.hlo.nouns import Instruction, Shape, WindowDimension

LONGEST_COUNTED = 1 << 16
"""Above this many window positions and outputs alike, padding is taken for input instead of counted."""


def convolution_flops(convolution: Instruction, lhs: Shape, rhs: Shape, result: Shape | None = None) -> int:
    """FLOPs of ``convolution`` of ``lhs`` and ``rhs``: two for each product of an input and a kernel element.

    ``result`` is its own shape unless another is given.

    Products with padding and with the holes of dilation are not counted, as in XLA's ``HloCostAnalysis``.
    Zero where the dimension numbers do not fit the shapes.
    """
    numbers = convolution.convolution
    result = result or convolution.shape
    output = result.dimensions
    if numbers is None or not _fits(convolution, lhs, rhs, result):
        return 0
    positions = 1
    for window, input_dimension, output_dimension in zip(
        convolution.window, numbers.input_spatial, numbers.output_spatial, strict=True
    ):
        positions *= valid_positions(lhs.dimensions[input_dimension], output[output_dimension], window)
    batch = lhs.dimensions[numbers.input_batch] // convolution.batch_group_count
    kernel_features = rhs.dimensions[numbers.kernel_input_feature] * rhs.dimensions[numbers.kernel_output_feature]
    return 2 * batch * kernel_features * positions


def library_convolution_flops(call: Instruction, first: Shape, second: Shape, result: Shape) -> int:
    """FLOPs of a custom call of cuDNN or MIOpen.

    The dimensions that it names are the forward convolution's in both backward passes too: there one of the two arrays
    is the forward output, and the result is the gradient of the input or of the kernel. All three multiply the same
    pairs of elements.
    """
    if "BackwardInput" in call.custom_call_target:
        return convolution_flops(call, result, second, first)
    if "BackwardFilter" in call.custom_call_target:
        return convolution_flops(call, first, result, second)
    return convolution_flops(call, first, second, result)


def _fits(convolution: Instruction, lhs: Shape, rhs: Shape, result: Shape) -> bool:
    numbers = convolution.convolution
    if numbers is None:
        return False
    spatial = len(convolution.window)
    if not spatial == len(numbers.input_spatial) == len(numbers.output_spatial):
        return False
    of_input = (numbers.input_batch, numbers.input_feature, *numbers.input_spatial)
    of_kernel = (numbers.kernel_input_feature, numbers.kernel_output_feature)
    return (
        max(of_input) < len(lhs.dimensions)
        and max(of_kernel) < len(rhs.dimensions)
        and max(numbers.output_spatial, default=-1) < len(result.dimensions)
    )


def valid_positions(input_size: int, output_size: int, window: WindowDimension) -> int:
    """Pairs of an output and a window position in one dimension that meet an element of the input.

    Output ``o`` and position ``k`` meet element ``i`` where
    ``o * stride + k * window_dilation - padding_low == i * base_dilation``.
    """
    if input_size <= 0 or output_size <= 0 or window.size <= 0:
        return 0
    # The equation is symmetric in o and k: walk along the shorter, count the other in closed form.
    steps = (window.size, window.window_dilation), (output_size, window.stride)
    (walked, walk), (counted, stride) = sorted(steps)
    if walked > LONGEST_COUNTED:
        return walked * counted
    last = (input_size - 1) * window.base_dilation
    common = math.gcd(stride, window.base_dilation)
    period = window.base_dilation // common
    inverse = pow(stride // common, -1, period) if period > 1 else 0
    total = 0
    for position in range(walked):
        offset = window.padding_low - position * walk
        if offset % common:
            continue
        lowest = max(0, -(-offset // stride))
        highest = min(counted - 1, (last + offset) // stride)
        lowest += (offset // common * inverse - lowest) % period
        if highest >= lowest:
            total += (highest - lowest) // period + 1
    return total
