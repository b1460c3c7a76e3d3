"""Products on the matrix unit."""

import functools
import math

import attrs
import jax
import jax.numpy as jnp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.cost.matrix_unit import product_padding
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import Computation, DotDimensions, HloModule, Instruction, Shape

UNIT = (128, 128)


def dot(element_type, lhs, rhs, numbers):
    operands = [Shape(element_type, lhs), Shape(element_type, rhs)]
    free = [size for each, size in enumerate(lhs) if each not in (*numbers.lhs_contracting, *numbers.lhs_batch)]
    features = [size for each, size in enumerate(rhs) if each not in (*numbers.rhs_contracting, *numbers.rhs_batch)]
    output = (*(lhs[each] for each in numbers.lhs_batch), *free, *features)
    parameters = [Instruction(row, f"p{row}", "parameter", shape, 0) for row, shape in enumerate(operands)]
    product = Instruction(2, "dot", "dot", Shape("f32", output), 0, operands=(0, 1), dot=numbers)
    return HloModule("m", "", (*parameters, product), (Computation(0, "main", (0, 1, 2), 2),), 0), product


def plain(element_type, rows, contracted, columns):
    return dot(element_type, (rows, contracted), (contracted, columns), DotDimensions((1,), (0,)))


def facts(padding):
    return [(each.size, each.padded, each.role) for each in padding.dims]


@pytest.mark.parametrize(
    ("sizes", "element_type", "unit", "expected"),
    [
        # The smaller of the two free dimensions is streamed: 16 and 3 of 128 and 8 is 4.7 %.
        ((16, 128, 3), "f32", UNIT, [(16, 128, "batch"), (128, 128, "contracting"), (3, 8, "feature")]),
        ((3, 128, 16), "f32", UNIT, [(3, 8, "batch"), (128, 128, "contracting"), (16, 128, "feature")]),
        ((3, 128, 16), "bf16", UNIT, [(3, 16, "batch"), (128, 128, "contracting"), (16, 128, "feature")]),
        ((3, 128, 16), "s8", UNIT, [(3, 32, "batch"), (128, 128, "contracting"), (16, 128, "feature")]),
        ((512, 200, 384), "bf16", UNIT, [(512, 512, "batch"), (200, 256, "contracting"), (384, 384, "feature")]),
        (
            (512, 300, 384),
            "bf16",
            (256, 256),
            [(512, 512, "batch"), (300, 512, "contracting"), (384, 384, "feature")],
        ),
    ],
)
def test_dimensions_are_rounded_up_to_the_unit(sizes, element_type, unit, expected):
    module, product = plain(element_type, *sizes)
    padding = product_padding(module, product, unit)
    assert facts(padding) == expected
    assert padding.text == f"[{sizes[0]},{sizes[1]}]x[{sizes[1]},{sizes[2]}]"
    assert padding.padded_flops == 2 * math.prod(each.padded for each in padding.dims)
    assert padding.used_ratio == padding.flops / padding.padded_flops


def test_sixteen_to_128_with_three_to_eight_leaves_less_than_a_twentieth():
    module, product = plain("f32", 16, 128, 3)
    assert f"{product_padding(module, product, UNIT).used_ratio:.1%}" == "4.7%"


def test_heads_enter_the_unit_one_by_one():
    module, product = dot("bf16", (16, 200, 12, 80), (12, 80, 960), DotDimensions((2, 3), (0, 1)))
    padding = product_padding(module, product, UNIT)
    assert facts(padding) == [
        (3200, 3200, "batch"),
        (80, 128, "contracting"),
        (960, 1024, "feature"),
        (12, 12, "contracting"),
    ]


def test_batches_are_products_of_their_own():
    numbers = DotDimensions((2,), (2,), (0,), (0,))
    module, product = dot("bf16", (7, 128, 80), (7, 256, 80), numbers)
    padding = product_padding(module, product, UNIT)
    assert facts(padding)[3:] == [(7, 7, "batch")]
    assert padding.used_ratio == 80 / 128


sizes = st.integers(1, 700)


@given(sizes, sizes, sizes, st.sampled_from(("f32", "bf16", "s8")), st.sampled_from(((128, 128), (256, 256))))
def test_no_padding_is_lost_or_invented(rows, contracted, columns, element_type, unit):
    module, product = plain(element_type, rows, contracted, columns)
    padding = product_padding(module, product, unit)
    assert padding.flops == ModuleFlops(module).of(product).flops == 2 * rows * contracted * columns
    assert 0 < padding.used_ratio <= 1
    assert all(each.size <= each.padded < each.size + each.tile for each in padding.dims)
    assert (padding.used_ratio == 1) == all(each.size == each.padded for each in padding.dims)
    # It is the same product with its operands exchanged.
    exchanged, other = plain(element_type, columns, contracted, rows)
    assert product_padding(exchanged, other, unit).padded_flops == padding.padded_flops


@given(sizes, sizes, sizes, st.sampled_from(((128, 128), (256, 256))))
def test_a_product_that_fits_wastes_nothing(rows, contracted, columns, unit):
    module, product = plain("bf16", rows * 16, contracted * unit[0], columns * unit[1])
    assert product_padding(module, product, unit).used_ratio == 1


def test_other_instructions_and_empty_products_have_none():
    module, product = plain("f32", 0, 8, 8)
    assert product_padding(module, product, UNIT) is None
    assert product_padding(module, module.instructions[0], UNIT) is None
    whole = attrs.evolve(product, dot=DotDimensions((5,), (0,)))
    assert product_padding(module, whole, UNIT) is None


def convolution(image, kernel, compiled, **options):
    run = functools.partial(jax.lax.conv_general_dilated, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)
    module, _ = compiled(run, jnp.ones(image), jnp.ones(kernel))
    return module, next(each for each in module.instructions if each.opcode == "convolution")


def test_an_image_convolution_streams_its_positions(compiled):
    module, product = convolution((2, 14, 14, 3), (3, 3, 3, 40), compiled, window_strides=(1, 1), padding="VALID")
    padding = product_padding(module, product, UNIT)
    assert facts(padding) == [
        (2 * 12 * 12, 288, "batch"),
        (3, 128, "contracting"),
        (40, 128, "feature"),
        (3, 3, "spatial"),
        (3, 3, "spatial"),
    ]
    assert padding.flops == 2 * 288 * 3 * 40 * 9 == ModuleFlops(module).of(product).flops
    assert padding.padded_flops == 2 * 288 * 128 * 128 * 9


def test_each_group_is_a_product_of_its_part_of_the_features(compiled):
    options = {"window_strides": (1, 1), "padding": "VALID", "feature_group_count": 4}
    module, product = convolution((2, 14, 14, 8), (3, 3, 2, 40), compiled, **options)
    padding = product_padding(module, product, UNIT)
    assert facts(padding) == [
        (2 * 12 * 12, 288, "batch"),
        (2, 128, "contracting"),
        (10, 128, "feature"),
        (3, 3, "spatial"),
        (3, 3, "spatial"),
        (4, 4, "feature"),
    ]
    assert padding.flops == 2 * 288 * 2 * 40 * 9 == ModuleFlops(module).of(product).flops
    whole = attrs.evolve(product, feature_group_count=3)
    assert product_padding(module, whole, UNIT) is None, "40 features are not 3 times as many"


def test_groups_of_the_batch_divide_the_features_too(compiled):
    module, plain = convolution((2, 14, 14, 3), (3, 3, 3, 40), compiled, window_strides=(1, 1), padding="VALID")
    image, kernel = (module.instructions[row].shape for row in plain.operands)
    four_times = attrs.evolve(image, dimensions=(8, *image.dimensions[1:]))
    parameters = [Instruction(row, f"p{row}", "parameter", shape, 0) for row, shape in enumerate((four_times, kernel))]
    product = attrs.evolve(plain, operands=(0, 1), batch_group_count=4)
    module = HloModule("m", "", (*parameters, product), (Computation(0, "main", (0, 1, 2), 2),), 0)
    padding = product_padding(module, product, UNIT)
    assert facts(padding)[:3] == [(288, 288, "batch"), (3, 128, "contracting"), (10, 128, "feature")]
    assert facts(padding)[-1] == (4, 4, "feature")
    assert math.prod(each.size for each in padding.dims) * 2 == padding.flops == ModuleFlops(module).of(product).flops


@pytest.mark.parametrize(
    ("target", "operands", "result", "expected"),
    [
        ("__cudnn$convForward", ("image", "kernel"), "output", [(288, 288), (3, 128), (40, 128)]),
        ("__cudnn$convBackwardInput", ("output", "kernel"), "image", [(288, 288), (40, 128), (3, 128)]),
        # Summed over the batch of 2, for every output position by itself.
        ("__cudnn$convBackwardFilter", ("image", "output"), "kernel", [(3, 8), (2, 128), (40, 128)]),
    ],
)
def test_a_librarys_convolution_is_the_product_of_its_pass(compiled, target, operands, result, expected):
    options = {"window_strides": (1, 1), "padding": "VALID"}
    module, forward = convolution((2, 14, 14, 3), (3, 3, 3, 40), compiled, **options)
    image, kernel = (module.instructions[row].shape for row in forward.operands)
    shapes = {"image": image, "kernel": kernel, "output": forward.shape}
    parameters = [Instruction(row, f"p{row}", "parameter", shapes[name], 0) for row, name in enumerate(operands)]
    workspace = Shape("u8", (1024,))
    call = attrs.evolve(
        forward,
        opcode="custom-call",
        custom_call_target=target,
        operands=(0, 1),
        shape=Shape("tuple", tuple_shapes=(shapes[result], workspace)),
    )
    module = HloModule("m", "", (*parameters, call), (Computation(0, "main", (0, 1, 2), 2),), 0)
    padding = product_padding(module, call, UNIT)
    assert [(each.size, each.padded) for each in padding.dims[:3]] == expected
    assert padding.flops == 2 * 288 * 3 * 40 * 9 == ModuleFlops(module).of(call).flops
    assert math.prod(each.size for each in padding.dims) * 2 == padding.flops


def test_a_ragged_dot_has_the_dimensions_of_one_group():
    numbers = DotDimensions((1,), (1,), lhs_ragged=(0,), rhs_group=(0,))
    shapes = [Shape("bf16", (512, 200)), Shape("bf16", (8, 200, 70)), Shape("s32", (8,))]
    parameters = [Instruction(row, f"p{row}", "parameter", shape, 0) for row, shape in enumerate(shapes)]
    product = Instruction(3, "r", "ragged-dot", Shape("bf16", (512, 70)), 0, operands=(0, 1, 2), dot=numbers)
    module = HloModule("m", "", (*parameters, product), (Computation(0, "main", (0, 1, 2, 3), 3),), 0)
    padding = product_padding(module, product, UNIT)
    assert facts(padding) == [(512, 512, "batch"), (200, 256, "contracting"), (70, 80, "feature")]
    assert padding.flops == 2 * 512 * 200 * 70 == ModuleFlops(module).of(product).flops
    divided = attrs.evolve(product, dot=DotDimensions((1,), (0,), lhs_ragged=(1,)))
    assert product_padding(module, divided, UNIT) is None, "how much each group contracts is not in the program"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # Dots as a TPU's compiler writes them: heads as a spatial dimension that is contracted, ...
        ("convolution.71", {(3200, 3200, "batch"), (80, 128, "contracting"), (12, 12, "contracting")}),
        # ... that makes features, ...
        ("convolution.95", {(200, 256, "batch"), (960, 1024, "contracting"), (960, 960, "feature"), (16, 16, "batch")}),
        # ... and, with the batch, that makes products of their own.
        ("convolution-base-dilated.13.clone.1", {(80, 128, "contracting"), (16, 16, "batch"), (12, 12, "batch")}),
        ("convolution.51.clone.1", {(3200, 3200, "batch"), (960, 1024, "contracting"), (50257, 50304, "feature")}),
    ],
)
def test_dots_that_a_tpu_compiler_wrote_as_convolutions(shared_hlo, name, expected):
    module = build_module(shared_hlo("tpu-v5e-awkward/after_optimizations.hlo.pb.xz"), "")
    product = module.by_name[name]
    padding = product_padding(module, product, UNIT)
    assert expected <= set(facts(padding))
    assert padding.flops == ModuleFlops(module).of(product).flops
    assert padding.flops == 2 * math.prod(each.size for each in padding.dims)
