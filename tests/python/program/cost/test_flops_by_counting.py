"""FLOPs of dots and convolutions against multiplying them out, one product of two numbers after the other."""

import itertools

import attrs
from hypothesis import given
from hypothesis import strategies as st

from scopelight.program.cost.convolutions import convolution_flops
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.hlo.nouns import (
    Computation,
    ConvolutionDimensions,
    DotDimensions,
    HloModule,
    Instruction,
    Shape,
    WindowDimension,
)

SIZE = st.integers(1, 4)


def module_of(lhs, rhs, product):
    instructions = (
        Instruction(0, "lhs", "parameter", lhs, 0, parameter_number=0),
        Instruction(1, "rhs", "parameter", rhs, 0, parameter_number=1),
        product,
    )
    return HloModule("m", "", instructions, (Computation(0, "main", (0, 1, 2), 2),), 0)


@given(
    sizes=st.dictionaries(st.sampled_from("abcdef"), SIZE, min_size=1),
    roles=st.fixed_dictionaries({name: st.sampled_from(("batch", "contracted", "left", "right")) for name in "abcdef"}),
    order=st.permutations("abcdef"),
)
def test_a_dot_multiplies_each_pair_that_shares_its_contracted_and_batch_indices(sizes, roles, order):
    left = [name for name in order if name in sizes and roles[name] != "right"]
    right = [name for name in reversed(order) if name in sizes and roles[name] != "left"]
    shared = {role: [name for name in sorted(sizes) if roles[name] == role] for role in ("batch", "contracted")}
    kept = [name for name in sizes if roles[name] != "contracted"]
    lhs, rhs, result = (Shape("f32", tuple(sizes[name] for name in names)) for names in (left, right, kept))
    dot = Instruction(
        *(2, "dot", "dot", result, 0, (0, 1)),
        dot=DotDimensions(
            tuple(map(left.index, shared["contracted"])),
            tuple(map(right.index, shared["contracted"])),
            tuple(map(left.index, shared["batch"])),
            tuple(map(right.index, shared["batch"])),
        ),
    )
    products = 0
    for of_left in itertools.product(*(range(sizes[name]) for name in left)):
        for of_right in itertools.product(*(range(sizes[name]) for name in right)):
            place = dict(zip(left, of_left, strict=True))
            products += all(place.get(name, at) == at for name, at in zip(right, of_right, strict=True))
    assert ModuleFlops(module_of(lhs, rhs, dot)).of(dot).flops == 2 * products


WINDOWS = st.builds(
    WindowDimension,
    size=SIZE,
    stride=st.integers(1, 3),
    padding_low=st.integers(-2, 3),
    padding_high=st.integers(-2, 3),
    window_dilation=st.integers(1, 3),
    base_dilation=st.integers(1, 3),
)


def output_size(size, window):
    dilated = (size - 1) * window.base_dilation + 1 + window.padding_low + window.padding_high
    reach = (window.size - 1) * window.window_dilation + 1
    return max(0, (dilated - reach) // window.stride + 1)


def pairs(size, window):
    """Of one dimension: how many pairs of an output and a window position meet an element of the input."""
    met = 0
    for output in range(output_size(size, window)):
        for position in range(window.size):
            place = output * window.stride + position * window.window_dilation - window.padding_low
            met += place % window.base_dilation == 0 and 0 <= place // window.base_dilation < size
    return met


@given(
    spatial=st.lists(st.tuples(st.integers(1, 6), WINDOWS), min_size=0, max_size=2),
    batch=SIZE,
    features=SIZE,
    outputs=SIZE,
    feature_groups=st.integers(1, 3),
    batch_groups=st.integers(1, 3),
)
def test_a_convolution_multiplies_each_element_that_a_kernel_position_meets(
    spatial, batch, features, outputs, feature_groups, batch_groups
):
    if feature_groups > 1:
        batch_groups = 1
    windows = tuple(window for _, window in spatial)
    sizes = [size for size, _ in spatial]
    rank = len(spatial)
    lhs = Shape("f32", (batch * batch_groups, *sizes, features * feature_groups))
    rhs = Shape("f32", (*(window.size for window in windows), features, outputs * feature_groups * batch_groups))
    result = Shape("f32", (batch, *itertools.starmap(output_size, spatial), outputs * feature_groups * batch_groups))
    inner = tuple(range(1, rank + 1))
    convolution = Instruction(
        *(2, "convolution", "convolution", result, 0, (0, 1)),
        window=windows,
        convolution=ConvolutionDimensions(
            *(0, rank + 1, inner),
            *(rank, rank + 1, tuple(range(rank))),
            *(0, rank + 1, inner),
        ),
        feature_group_count=feature_groups,
        batch_group_count=batch_groups,
    )
    # Each output feature sees the input features of its own group, and the batch of its own group.
    met = 1
    for size, window in spatial:
        met *= pairs(size, window)
    products = batch * features * outputs * feature_groups * batch_groups * met
    counted = ModuleFlops(module_of(lhs, rhs, convolution)).of(convolution).flops
    assert counted == 2 * products
    # The gradients by cuDNN name the forward dimensions, and multiply the same pairs.
    for target, first, second, made in (
        ("__cudnn$convForward", lhs, rhs, result),
        ("__cudnn$convBackwardInput", result, rhs, lhs),
        ("__cudnn$convBackwardFilter", lhs, result, rhs),
    ):
        call = attrs.evolve(convolution, opcode="custom-call", custom_call_target=target, shape=made)
        assert convolution_flops(call, first, second) == counted
    assert convolution_flops(convolution, lhs, rhs) == counted
