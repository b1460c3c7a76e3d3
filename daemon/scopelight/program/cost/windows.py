"""How often reductions and selections over windows combine two elements, and how many pairs a convolution multiplies.

The rule for reduce-window is XLA's own (``HloCostAnalysis::HandleReduceWindow``, one code for TPU, GPU and CPU): for
each output one combination less than the window has positions. One form counts otherwise: a window of ``2 n - 1`` along
one dimension, with a padding of ``n - 1`` on either side and ``n`` outputs, whatever its stride and its dilations, is
taken for the reduction of a row that is spread over the row again, which is how the compiler for TPUs writes the
maximum of a softmax. It counts ``n - 1`` and one for each of the other outputs. (The combinations of such a reduction
are the product of the two, which XLA adds: next to nothing is left.) A select-and-scatter compares as often as a
reduce-window of its window combines, and adds once for each window.

Measured: what ``cost_analysis()`` says of one reduce-window in f32, window along the last dimension, compiled by jax
0.10.2 for a CPU and, with libtpu 0.0.51, for TPU v4, v5e, v5p, v6e and 7x, which all say the same:

===================  ======  ============  ======  =====================  ==========
array                window  padding       stride  FLOPs                  in padding
===================  ======  ============  ======  =====================  ==========
[512, 16]            31      15, 15        1       527 = 512 + 15         0
[8, 64, 16]          31      15, 15        1       527 = 8 x 64 + 15      0
[512, 2048]          4095    2047, 2047    1       2,559 = 512 + 2,047    0
[512, 16]            31      15, 15        2       122,880 = 4,096 x 30   61,440
[512, 16]            33      16, 16        1       262,144 = 8,192 x 32   139,264
[512, 16]            16      15, 0         1       122,880 = 8,192 x 15   61,440
===================  ======  ============  ======  =====================  ==========

So XLA counts padding, and the holes of a dilated array, as work of every other window; of a convolution it does not.
Executed FLOPs are XLA's. What of them is in padding, the last column, is told apart: it is no work of the model, and
takes no part of a fusion's time.
"""

import math
from collections.abc import Sequence

from scopelight.program.hlo.nouns import Instruction, Shape, WindowDimension
from scopelight.program.hlo.sizes import element_count, first_array

LONGEST_COUNTED = 1 << 16
"""Above this many window positions and outputs alike, padding is taken for input instead of counted."""


def reduced(instruction: Instruction, operands: Sequence[Shape]) -> int:
    """How often XLA has a reduce-window combine two elements."""
    outputs = first_array(instruction.shape).dimensions
    row = _spread_row(instruction, outputs)
    if operands and row is not None:
        return math.prod(outputs) // outputs[row] + outputs[row] - 1
    return math.prod(outputs) * _further_positions(instruction)


def reduced_in_padding(instruction: Instruction, operands: Sequence[Shape]) -> int:
    """How many of these combinations are with padding or a hole."""
    outputs = first_array(instruction.shape).dimensions
    if not operands or _spread_row(instruction, outputs) is not None:
        return 0
    return _in_padding(first_array(operands[0]).dimensions, outputs, instruction)


def selected(instruction: Instruction, operands: Sequence[Shape]) -> int:
    """How often XLA has a select-and-scatter compare two elements, to find the one of a window that it adds to."""
    return scattered(instruction, operands) * _further_positions(instruction)


def selected_in_padding(instruction: Instruction, operands: Sequence[Shape]) -> int:
    """How many of these comparisons are with padding or a hole."""
    if len(operands) < 2:
        return 0
    return _in_padding(operands[0].dimensions, operands[1].dimensions, instruction)


def scattered(_: Instruction, operands: Sequence[Shape]) -> int:
    """How often a select-and-scatter adds: once for each window."""
    return element_count(operands[1]) if len(operands) > 1 else 0


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
    return sum(
        _solutions(counted, stride, window.base_dilation, window.padding_low - position * walk, last)
        for position in range(walked)
    )


def outputs_met(input_size: int, output_size: int, window: WindowDimension) -> int:
    """Outputs in one dimension whose window holds an element of the input."""
    if input_size <= 0 or output_size <= 0 or window.size <= 0:
        return 0
    last = (input_size - 1) * window.base_dilation
    if window.base_dilation == window.window_dilation == 1:
        lowest = max(0, -(-(window.padding_low - window.size + 1) // window.stride))
        highest = min(output_size - 1, (last + window.padding_low) // window.stride)
        return max(0, highest - lowest + 1)
    if output_size > LONGEST_COUNTED:
        return min(output_size, valid_positions(input_size, output_size, window))
    return sum(
        _solutions(
            *(window.size, window.window_dilation, window.base_dilation),
            *(window.padding_low - output * window.stride, last),
        )
        > 0
        for output in range(output_size)
    )


def _solutions(count: int, step: int, base: int, offset: int, last: int) -> int:
    """How many of ``0 <= x < count`` have ``x * step - offset`` in ``0, base, 2 base, ... last``."""
    common = math.gcd(step, base)
    if offset % common:
        return 0
    period = base // common
    inverse = pow(step // common, -1, period) if period > 1 else 0
    lowest = max(0, -(-offset // step))
    highest = min(count - 1, (last + offset) // step)
    lowest += (offset // common * inverse - lowest) % period
    return (highest - lowest) // period + 1 if highest >= lowest else 0


def _further_positions(instruction: Instruction) -> int:
    return max(0, math.prod(each.size for each in instruction.window) - 1)


def _in_padding(sizes: Sequence[int], outputs: Sequence[int], instruction: Instruction) -> int:
    """Of one combination less than positions for each output, those that combine no two elements of the array."""
    window = instruction.window
    if not len(sizes) == len(outputs) == len(window):
        return 0
    met = math.prod(map(valid_positions, sizes, outputs, window)) - math.prod(map(outputs_met, sizes, outputs, window))
    return max(0, math.prod(outputs) * _further_positions(instruction) - met)


def _spread_row(instruction: Instruction, outputs: Sequence[int]) -> int | None:
    """The dimension along which a reduce-window reduces a row and spreads the result; None where XLA sees no such."""
    window = instruction.window
    if len(window) != len(outputs) or instruction.shape.tuple_shapes:
        return None
    wide = [row for row, each in enumerate(window) if each.size != 1]
    padded = [row for row, each in enumerate(window) if each.padding_low or each.padding_high]
    if len(wide) != 1 or padded != wide:
        return None
    row = wide[0]
    padding = outputs[row] - 1
    spreads = padding > 0 and window[row].padding_low == window[row].padding_high == padding
    return row if spreads and window[row].size == 2 * padding + 1 else None
