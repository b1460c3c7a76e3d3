"""How often windows combine elements, as XLA counts it, and how much of that is padding and holes: no work."""

import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scopelight.formats.hlo import hlo_pb2
from scopelight.model.fusion_rates import backend_rates
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.cost.fusions import FusionCosts
from scopelight.program.cost.windows import (
    outputs_met,
    reduced,
    reduced_in_padding,
    scattered,
    selected,
    selected_in_padding,
    valid_positions,
)
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import (
    Computation,
    DotDimensions,
    HloModule,
    Instruction,
    Shape,
    WindowDimension,
)

SIZES = st.integers(1, 4)
WINDOWS = st.builds(
    WindowDimension,
    size=SIZES,
    stride=st.integers(1, 3),
    padding_low=st.integers(-2, 5),
    padding_high=st.integers(-2, 5),
    window_dilation=st.integers(1, 3),
    base_dilation=st.integers(1, 3),
)
SCALAR = Shape("f32", ())


def output_size(size, window):
    dilated = (size - 1) * window.base_dilation + 1 + window.padding_low + window.padding_high
    reach = (window.size - 1) * window.window_dilation + 1
    return max(0, (dilated - reach) // window.stride + 1)


def elements_of_each_window(sizes, windows):
    """How many elements of the array each window holds, counted one by one."""
    outputs = [range(output_size(size, window)) for size, window in zip(sizes, windows, strict=True)]
    for output in itertools.product(*outputs):
        held = 0
        for position in itertools.product(*(range(window.size) for window in windows)):
            meets = True
            for size, window, o, k in zip(sizes, windows, output, position, strict=True):
                place = o * window.stride + k * window.window_dilation - window.padding_low
                meets &= place % window.base_dilation == 0 and 0 <= place // window.base_dilation < size
            held += meets
        yield held


def reduce_window(sizes, windows, element_type="f32"):
    made = tuple(output_size(size, window) for size, window in zip(sizes, windows, strict=True))
    result = Shape(element_type, made)
    return Instruction(2, "reduce-window", "reduce-window", result, 0, (0, 1), window=tuple(windows))


def covers_the_row(sizes, windows):
    """Whether a window counts as one from each element of a row: XLA asks for no stride, and for no dilation."""
    wide = [(size, window) for size, window in zip(sizes, windows, strict=True) if window.size > 1]
    return all((each.size, each.padding_low, each.padding_high) == (2 * n - 1, n - 1, n - 1) for n, each in wide)


@given(st.lists(st.tuples(st.integers(1, 6), WINDOWS), min_size=1, max_size=2))
@example([(3, WindowDimension(3, 2, 1, 1))])
def test_outside_of_padding_a_reduction_combines_the_elements_that_a_window_holds(dimensions):
    sizes, windows = zip(*dimensions, strict=True)
    held = list(elements_of_each_window(sizes, windows))
    instruction = reduce_window(sizes, windows)
    positions = math.prod(window.size for window in windows)
    combined = sum(each - 1 for each in held if each)
    if not covers_the_row(instruction.shape.dimensions, windows):
        operands = [Shape("f32", sizes), SCALAR]
        assert reduced(instruction, operands) == len(held) * (positions - 1)
        assert reduced(instruction, operands) - reduced_in_padding(instruction, operands) == combined
    # A selection compares the elements of a window with each other, and adds to the one that it finds.
    select = Instruction(3, "select", "select-and-scatter", Shape("f32", sizes), 0, (0, 1, 2), window=tuple(windows))
    operands = [Shape("f32", sizes), instruction.shape, SCALAR]
    assert selected(select, operands) == len(held) * (positions - 1)
    assert selected(select, operands) - selected_in_padding(select, operands) == combined
    assert scattered(select, operands) == len(held)


@given(st.integers(1, 7), st.integers(1, 9), WINDOWS)
def test_outputs_met_are_those_whose_window_holds_an_element(size, outputs, window):
    expected = sum(
        any(
            (place := o * window.stride + k * window.window_dilation - window.padding_low) % window.base_dilation == 0
            and 0 <= place // window.base_dilation < size
            for k in range(window.size)
        )
        for o in range(outputs)
    )
    assert outputs_met(size, outputs, window) == expected


def test_vast_windows_end():
    assert outputs_met(2**40, 2**40, WindowDimension(2**40)) == 2**40
    assert 0 < outputs_met(2**40, 2**40, WindowDimension(2**40, 3, 5, 5, 7, 2)) <= 2**40
    vast = reduce_window((2**40,), (WindowDimension(2**40, window_dilation=3, padding_low=2**42),))
    operands = [Shape("f32", (2**40,)), SCALAR]
    assert 0 <= reduced_in_padding(vast, operands) <= reduced(vast, operands)


def test_of_windows_that_do_not_fit_the_array_nothing_is_in_padding():
    instruction = reduce_window((4, 4), (WindowDimension(2), WindowDimension(2)))
    assert reduced_in_padding(instruction, [Shape("f32", (4,))]) == reduced_in_padding(instruction, []) == 0
    lone = [Shape("f32", (4, 4))]
    assert selected(instruction, lone) == selected_in_padding(instruction, lone) == scattered(instruction, []) == 0


def windows_of(function, array):
    """The instructions with windows of a program before it is compiled, and its module."""
    lowered = jax.jit(function).lower(array)
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(lowered.compiler_ir("hlo").as_serialized_hlo_module_proto())
    module = build_module(proto, "")
    return module, [each for each in module.instructions if each.window and each.called]


def reducing(size, stride, padding, **dilations):
    def function(a):
        return jax.lax.reduce_window(a, -jnp.inf, jax.lax.max, size, stride, padding, **dilations)

    return function


WHOLE_ROWS = {
    (512, 16): 1,
    (8, 64, 16): 2,
    (7, 64, 16): 1,
    (9, 64, 17): 0,
    (3, 2, 5, 6, 100): 4,
    (2, 2048): 1,
}
"""Shapes, and the dimension that the window covers from each of its elements."""


@pytest.mark.parametrize("shape", WHOLE_ROWS, ids=str)
def test_a_row_that_is_reduced_and_spread_counts_as_xla_counts_it(compiled, shape):
    row = WHOLE_ROWS[shape]
    length = shape[row]
    size = [2 * length - 1 if each == row else 1 for each in range(len(shape))]
    padding = [(length - 1, length - 1) if each == row else (0, 0) for each in range(len(shape))]
    function = reducing(tuple(size), (1,) * len(shape), tuple(padding))
    module, executable = compiled(function, jnp.ones(shape))
    counted = ModuleFlops(module).of_computation(module.entry)
    assert counted.flops == executable.cost_analysis()["flops"] == math.prod(shape) // length + length - 1
    assert counted.window_padding_flops == 0


ALMOST_WHOLE_ROWS = {
    "strided": (3, reducing((1, 3), (1, 2), ((0, 0), (1, 1)))),
    "strided, longer": (5, reducing((1, 5), (1, 2), ((0, 0), (2, 2)))),
    "dilated window": (4, reducing((1, 3), (1, 1), ((0, 0), (1, 1)), window_dilation=(1, 2))),
    "dilated array": (2, reducing((1, 3), (1, 2), ((0, 0), (1, 1)), base_dilation=(1, 2))),
}
"""The length of rows whose windows do not cover all of it from each element, and count as if they did."""


@pytest.mark.parametrize("name", ALMOST_WHOLE_ROWS)
def test_xla_takes_windows_for_those_of_a_row_by_size_and_padding_alone(compiled, name):
    length, function = ALMOST_WHOLE_ROWS[name]
    array = jnp.ones((512, length))
    outputs = jax.eval_shape(function, array).shape[1]
    module, executable = compiled(function, array)
    counted = ModuleFlops(module).of_computation(module.entry)
    assert counted.flops == executable.cost_analysis()["flops"] == 512 + outputs - 1


PADDED = {
    "same": reducing((1, 3, 3, 1), (1, 1, 1, 1), "SAME"),
    "same, strided": reducing((1, 3, 2, 1), (1, 2, 3, 1), "SAME"),
    "dilated window": reducing((1, 3, 3, 1), (1, 1, 1, 1), "SAME", window_dilation=(1, 2, 3, 1)),
    "dilated array": reducing((1, 3, 3, 1), (1, 1, 1, 1), "SAME", base_dilation=(1, 2, 2, 1)),
    "wide padding": reducing((1, 5, 1, 1), (1, 1, 1, 1), ((0, 0), (9, 7), (0, 0), (0, 0))),
    "most of the row": reducing((1, 9, 1, 1), (1, 1, 1, 1), ((0, 0), (4, 4), (0, 0), (0, 0))),
    "every other of the row": reducing((1, 27, 1, 1), (1, 2, 1, 1), ((0, 0), (13, 13), (0, 0), (0, 0))),
    "no padding": reducing((1, 3, 2, 1), (1, 2, 1, 1), "VALID"),
}
IMAGES = jnp.ones((2, 14, 11, 3))


@pytest.mark.parametrize("name", PADDED)
def test_what_xla_counts_besides_elements_is_padding(compiled, name):
    """Counted by running the reduction over ones: the sums are the elements that each window holds."""
    _, (found,) = windows_of(PADDED[name], IMAGES)
    options = {
        "window_dimensions": [each.size for each in found.window],
        "window_strides": [each.stride for each in found.window],
        "padding": [(each.padding_low, each.padding_high) for each in found.window],
        "base_dilation": [each.base_dilation for each in found.window],
        "window_dilation": [each.window_dilation for each in found.window],
    }
    held = np.asarray(jax.lax.reduce_window(IMAGES, 0.0, jax.lax.add, **options)).astype(int)
    positions = math.prod(options["window_dimensions"])
    module, executable = compiled(PADDED[name], IMAGES)
    counted = ModuleFlops(module).of_computation(module.entry)
    assert counted.flops == executable.cost_analysis()["flops"]
    assert counted.flops - counted.window_padding_flops == sum(each - 1 for each in held.flat if each)
    assert counted.window_padding_flops == (positions - np.maximum(held, 1)).sum()
    assert (counted.window_padding_flops == 0) == (name == "no padding")


@pytest.mark.parametrize("name", [name for name in PADDED if "dilated" not in name])
def test_the_gradient_of_a_maximum_compares_no_padding(name):
    module, found = windows_of(jax.grad(lambda a: PADDED[name](a).sum()), IMAGES)
    selections = [each for each in found if each.opcode == "select-and-scatter"]
    assert selections
    for each in selections:
        source = module.instructions[each.operands[1]].shape.dimensions
        sizes = module.instructions[each.operands[0]].shape.dimensions
        pairs = math.prod(map(valid_positions, sizes, source, each.window))
        counted = ModuleFlops(module).of(each)
        # One comparison less than elements in each window, one addition for each.
        assert counted.flops - counted.window_padding_flops == pairs
        assert counted.flops == math.prod(source) * math.prod(window.size for window in each.window)


def attention_scores(row_maximum):
    """A fusion of a matrix product and the maximum of each of its rows, spread over them."""
    rows = 2048
    queries, keys, scores = Shape("bf16", (rows, 64)), Shape("bf16", (64, rows)), Shape("f32", (rows, rows))
    instructions = (
        Instruction(0, "lhs", "parameter", SCALAR, 0, parameter_number=0),
        Instruction(1, "rhs", "parameter", SCALAR, 0, parameter_number=1),
        Instruction(2, "greater", "maximum", SCALAR, 0, (0, 1)),
        Instruction(3, "q", "parameter", queries, 1, parameter_number=0),
        Instruction(4, "k", "parameter", keys, 1, parameter_number=1),
        Instruction(5, "product", "dot", scores, 1, (3, 4), dot=DotDimensions((1,), (0,))),
        Instruction(6, "least", "constant", SCALAR, 1),
        row_maximum(7, 1, (5, 6)),
        Instruction(8, "q", "parameter", queries, 2, parameter_number=0),
        Instruction(9, "k", "parameter", keys, 2, parameter_number=1),
        Instruction(10, "scores", "fusion", scores, 2, (8, 9), called=(1,)),
    )
    computations = (
        Computation(0, "maximum", (0, 1, 2), 2),
        Computation(1, "fused", (3, 4, 5, 6, 7), 7),
        Computation(2, "main", (8, 9, 10), 10),
    )
    return HloModule("m", "", instructions, computations, 2)


def test_the_maximum_of_a_row_takes_no_time_from_the_product_beside_it():
    def whole_row(row, computation, operands):
        window = (WindowDimension(1), WindowDimension(4095, padding_low=2047, padding_high=2047))
        shape = Shape("bf16", (2048, 2048))
        return Instruction(row, "spread", "reduce-window", shape, computation, operands, (0,), window=window)

    module = attention_scores(whole_row)
    rates = attrs_without_memory(backend_rates("tpu"))
    parts = FusionCosts(module, rates).parts(module.by_name["scores"])
    assert parts[5] == 2 * 2048 * 2048 * 64
    assert parts.get(7, 0) < 0.001 * parts[5]
    assert ModuleFlops(module).of(module.by_name["scores"]).flops == parts[5] + 2048 + 2047


def test_a_pooling_in_a_fusion_is_weighed_by_the_elements_that_it_combines():
    def pooling(row, computation, operands):
        window = (WindowDimension(1), WindowDimension(3, padding_low=1, padding_high=1))
        shape = Shape("f32", (2048, 2048))
        return Instruction(row, "pooled", "reduce-window", shape, computation, operands, (0,), window=window)

    module = attention_scores(pooling)
    rates = attrs_without_memory(backend_rates("tpu"))
    parts = FusionCosts(module, rates).parts(module.by_name["scores"])
    assert parts[7] == 2048 * (2 * 2048 - 2) * rates.elementwise_flops


def attrs_without_memory(rates):
    """The same rates where moving bytes is free, which leaves the computation."""
    return type(rates)(rates.kind, 0.0, rates.elementwise_flops, rates.source, rates.opcode_weights)
