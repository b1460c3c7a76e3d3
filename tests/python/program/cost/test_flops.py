"""FLOPs and bytes against what XLA itself says of the compiled program."""

import itertools

import attrs
import jax
import jax.numpy as jnp
import pytest

from scopelight.formats.hlo import hlo_pb2
from scopelight.program.cost.flops import ModuleFlops
from scopelight.program.cost.windows import valid_positions
from scopelight.program.hlo.builder import build_module
from scopelight.program.hlo.nouns import Layout, Shape, WindowDimension
from scopelight.program.hlo.sizes import byte_size, element_count

X = jnp.ones((64, 48))
IMAGES = jnp.ones((4, 16, 17, 8))
KERNEL = jnp.ones((3, 3, 8, 12))
GROUPED = jnp.ones((3, 3, 4, 12))


def convolve(**options):
    def function(a, b):
        return jax.lax.conv_general_dilated(a, b, dimension_numbers=("NHWC", "HWIO", "NHWC"), **options)

    return function


def gradients_of_convolution(a, b):
    convolved = convolve(window_strides=(2, 2), padding="SAME")
    return jax.grad(lambda a, b: jnp.sum(convolved(a, b) ** 2), (0, 1))(a, b)


PROGRAMS = {
    "dot": (lambda a, b: a @ b, X, jnp.ones((48, 32))),
    "batched dot": (lambda a, b: jnp.einsum("bij,bjk->bik", a, b), jnp.ones((5, 6, 7)), jnp.ones((5, 7, 9))),
    "dot of two contracted": (
        lambda a, b: jnp.einsum("ijk,jkl->il", a, b),
        jnp.ones((5, 6, 7)),
        jnp.ones((6, 7, 9)),
    ),
    "convolution": (convolve(window_strides=(1, 1), padding="SAME"), IMAGES, KERNEL),
    "strided and dilated": (
        convolve(window_strides=(2, 3), padding="SAME", rhs_dilation=(2, 1)),
        IMAGES,
        KERNEL,
    ),
    "transposed": (
        convolve(window_strides=(1, 1), padding=((2, 1), (0, 3)), lhs_dilation=(3, 2)),
        IMAGES,
        KERNEL,
    ),
    "cropped": (convolve(window_strides=(1, 2), padding=((-2, 1), (0, -3))), IMAGES, KERNEL),
    "grouped": (
        convolve(window_strides=(1, 1), padding="VALID", feature_group_count=2),
        IMAGES,
        GROUPED,
    ),
    "gradients of a convolution": (gradients_of_convolution, IMAGES, KERNEL),
    "reduction": (lambda a: a.sum(0), X),
    "elementwise": (lambda a: jnp.where(a > 1, jnp.tanh(a) * 2, a + 1).astype(jnp.bfloat16), X),
    "softmax": (jax.nn.softmax, X),
    "sort": (lambda a: jnp.sort(a, 1), X),
    "argmax": (lambda a: jnp.argmax(a, 1), X),
    "scatter": (lambda a: a.at[jnp.array([1, 2, 3])].add(2.0), X),
    "pooling": (
        lambda a: jax.lax.reduce_window(a, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID"),
        IMAGES,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_flops_equal_those_of_xla(compiled, name):
    function, *arguments = PROGRAMS[name]
    module, executable = compiled(function, *arguments)
    counted = ModuleFlops(module).of_computation(module.entry)
    analysis = executable.cost_analysis()
    assert counted.flops == analysis["flops"] > 0
    assert counted.transcendentals == analysis.get("transcendentals", 0)


def test_a_custom_call_has_unknown_flops(compiled):
    module, _ = compiled(lambda a: jnp.linalg.qr(a)[0], jnp.ones((8, 8)))
    calls = [each for each in module.instructions if each.opcode == "custom-call"]
    assert calls
    assert all(ModuleFlops(module).of(call).flops is None for call in calls)
    assert ModuleFlops(module).of_computation(module.entry).flops is None


def lowered_for_tpu(function, *arguments):
    """The module of a function before it is compiled, for a TPU."""
    lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=("tpu",))
    proto = hlo_pb2.HloProto()
    proto.hlo_module.ParseFromString(lowered.compiler_ir("hlo").as_serialized_hlo_module_proto())
    return build_module(proto, "")


@pytest.mark.parametrize(
    ("rhs", "numbers", "flops"),
    [
        # Each row of the left operand is multiplied by its own group's matrix.
        ((3, 8, 4), ((((1,), (1,)), ((), ())), [0], [0]), 2 * 16 * 8 * 4),
        # Each group of contracted values makes a matrix of its own.
        ((16, 4), ((((0,), (0,)), ((), ())), [0], []), 2 * 16 * 8 * 4),
    ],
)
def test_a_ragged_dot_multiplies_each_value_once_whichever_its_group(rhs, numbers, flops):
    numbers = jax.lax.RaggedDotDimensionNumbers(*numbers)
    module = lowered_for_tpu(
        lambda a, b, sizes: jax.lax.ragged_dot_general(a, b, sizes, numbers),
        jnp.ones((16, 8)),
        jnp.ones(rhs),
        jnp.array([4, 4, 8]),
    )
    ragged = [each for each in module.instructions if each.opcode == "ragged-dot"]
    assert [ModuleFlops(module).of(each).flops for each in ragged] == [flops]


def test_dimension_numbers_that_do_not_fit_cost_nothing(compiled):
    module, _ = compiled(PROGRAMS["convolution"][0], IMAGES, KERNEL)
    convolution = next(each for each in module.instructions if each.opcode == "convolution")
    numbers = attrs.evolve(convolution.convolution, input_feature=9)
    assert ModuleFlops(module).of(attrs.evolve(convolution, convolution=numbers)).flops == 0
    assert ModuleFlops(module).of(attrs.evolve(convolution, window=())).flops == 0
    assert ModuleFlops(module).of(attrs.evolve(convolution, operands=())).flops == 0
    assert ModuleFlops(module).of(convolution).flops > 0


def test_valid_positions_against_counting_them_one_by_one():
    choices = itertools.product((1, 2, 5, 7), (1, 3, 4), (1, 2, 3), (-1, 0, 2), (1, 2, 3), (1, 2, 4), (1, 3, 6))
    for input_size, size, stride, low, dilation, base, output_size in choices:
        window = WindowDimension(size, stride, low, 0, dilation, base)
        expected = 0
        for output, position in itertools.product(range(output_size), range(size)):
            place = output * stride + position * dilation - low
            expected += place % base == 0 and 0 <= place // base < input_size
        assert valid_positions(input_size, output_size, window) == expected, window


def test_valid_positions_of_a_vast_window_end():
    assert valid_positions(2**40, 2**40, WindowDimension(2**40)) == 2**80
    assert valid_positions(2**40, 3, WindowDimension(2**40)) > 0


def test_sizes_of_shapes():
    array = Shape("bf16", (3, 5))
    both = Shape("tuple", tuple_shapes=(array, Shape("f32", ()), Shape("token")))
    assert (element_count(array), byte_size(array)) == (15, 30)
    assert byte_size(both) == 34
    assert byte_size(Shape("s4", (5,))) == 5
    assert byte_size(Shape("s4", (5,), layout=Layout(element_size_bits=4))) == 3
    assert byte_size(Shape("f32", (0, 7))) == 0
