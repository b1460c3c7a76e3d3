"""Seventy small programs, one for each thing that a TPU may or may not compute: all are tried, whatever fails.

Each is a function whose name says what it is. `SMALL_PROGRAMS` of the test says what becomes of it.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import checkify, io_callback, sparse
from jax.experimental.custom_partitioning import custom_partitioning
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

try:
    from jax.experimental import pallas as pl
except ImportError:
    # In older versions it needs a package that not every environment has.
    pl = None

PROGRAMS = []
ONES = {
    name: np.ones((128, 128), name)
    for name in ("float32", "float64", "int8", "int32", "int64", "uint64", "complex64", "complex128")
} | {"bfloat16": jnp.ones((128, 128), jnp.bfloat16)}
F32 = ONES["float32"]


def program(*arguments):
    """A function is one of the programs; where it takes numbers of 64 bits, they are allowed meanwhile."""

    def kept(function):
        PROGRAMS.append((function, arguments))
        return function

    return kept


@program(ONES["bfloat16"])
def bf16_product(x):
    return x @ x


@program(F32)
def f32_product(x):
    return x @ x


@program(F32)
def highest_precision_product(x):
    return jnp.dot(x, x, precision="highest")


@program(ONES["int8"])
def int8_product(x):
    return lax.dot(x, x, preferred_element_type=jnp.int32)


@program(F32)
def int4_product(x):
    return lax.dot(x.astype(jnp.int4), x.astype(jnp.int4), preferred_element_type=jnp.int32)


@program(F32)
def f8_product(x):
    narrow = x.astype(jnp.float8_e4m3fn)
    return lax.dot(narrow, narrow, preferred_element_type=jnp.float32)


@program(F32)
def batched_product(x):
    return jnp.einsum("bij,bjk->bik", x.reshape(4, 32, 128), x.reshape(4, 128, 32))


@program(jnp.ones((2, 16, 16, 8), "float32"), jnp.ones((3, 3, 8, 16), "float32"))
def convolution_2d(x, w):
    return lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


@program(jnp.ones((2, 8, 8, 8, 4), "float32"), jnp.ones((3, 3, 3, 4, 8), "float32"))
def convolution_3d(x, w):
    return lax.conv_general_dilated(x, w, (1, 1, 1), "SAME", dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))


@program(jnp.ones((4, 16, 16, 8), "float32"), jnp.ones((3, 3, 8, 16), "float32"))
def convolution_of_batch_groups(x, w):
    return lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), batch_group_count=2
    )


@program(jnp.ones((2, 16, 16, 8), "float32"), jnp.ones((3, 3, 1, 8), "float32"))
def depthwise_convolution(x, w):
    return lax.conv_general_dilated(
        x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=8
    )


@program(jnp.ones((2, 16, 16, 8), "float32"))
def pooling(x):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


@program(F32)
def sort(x):
    return lax.sort(x)


@program(F32)
def sort_pairs(x):
    return lax.sort((x, -x), num_keys=1)


@program(F32)
def top_k(x):
    return lax.top_k(x, 4)[0]


@program(F32)
def approximate_top_k(x):
    return lax.approx_max_k(x, 4)[0]


@program(F32, jnp.ones((16, 1), "int32"))
def scatter(x, indices):
    numbers = lax.ScatterDimensionNumbers((1,), (0,), (0,))
    return lax.scatter_add(x, indices, jnp.ones((16, 128), "float32"), numbers)


@program(F32, jnp.ones((16, 1), "int32"))
def gather(x, indices):
    numbers = lax.GatherDimensionNumbers((1,), (0,), (0,))
    return lax.gather(x, indices, numbers, (1, 128))


@program(F32)
def cumulative_sum(x):
    return lax.cumsum(x)


@program(F32)
def associative_scan(x):
    return lax.associative_scan(lax.mul, x)


@program(ONES["complex64"])
def fft_of_c64(x):
    return lax.fft(x, "fft", (128,))


@program(F32)
def fft_of_f32(x):
    return lax.fft(x, "rfft", (128,))


@program(F32)
def qr(x):
    return lax.linalg.qr(x, full_matrices=False)


@program(F32)
def lu(x):
    return lax.linalg.lu(x)[0]


@program(F32)
def cholesky(x):
    return lax.linalg.cholesky(x)


@program(F32)
def eigh(x):
    return lax.linalg.eigh(x)


@program(F32)
def svd(x):
    return lax.linalg.svd(x, full_matrices=False)


@program(F32)
def matrix_exponential(x):
    return jax.scipy.linalg.expm(x)


@program(F32)
def triangular_solve(x):
    return lax.linalg.triangular_solve(x, x, lower=True)


@program(F32)
def special_functions(x):
    return lax.erf(x) + lax.lgamma(x) + lax.digamma(x) + lax.bessel_i0e(x) + lax.igamma(x, x)


@program(F32)
def transcendental_functions(x):
    return jnp.tanh(x) + jnp.arctan2(x, x) + jnp.expm1(x) + lax.cbrt(x) + lax.rsqrt(x)


@program(jnp.ones((128, 64), "float32"), jnp.ones((4, 64, 32), "float32"), jnp.full((4,), 32, "int32"))
def ragged_product(x, w, sizes):
    return lax.ragged_dot(x, w, sizes)


@program(F32)
def pallas_kernel(x):
    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] + x_ref[...]

    return pl.pallas_call(double, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype))(x)


@program(F32)
def pallas_kernel_of_blocks(x):
    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] + x_ref[...]

    block = pl.BlockSpec((64, 128), lambda i: (i, np.int32(0)))
    return pl.pallas_call(
        double, grid=(2,), in_specs=[block], out_specs=block, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype)
    )(x)


@program(F32)
def loop_until(x):
    return lax.while_loop(lambda x: x.sum() < 100, lambda x: x + x, x)


@program(F32)
def condition(x):
    return lax.cond(x.sum() > 0, lax.sin, lax.cos, x)


@program(F32)
def switch(x):
    return lax.switch(lax.convert_element_type(x[0, 0], np.int32), (lax.sin, lax.cos, lax.tan), x)


@program(F32)
def scan(x):
    return lax.scan(lambda carry, row: (carry + row, carry), x[0], x)


@program(F32)
def gradient(x):
    return jax.grad(lambda x: jnp.tanh(x @ x).sum())(x)


@program(F32)
def recomputed_gradient(x):
    return jax.grad(jax.checkpoint(lambda x: jnp.tanh(x @ x).sum()))(x)


@program(F32)
def select(x):
    return lax.select(x > lax.full_like(x, 0), x, -x)


@program(ONES["int32"])
def bits(x):
    return (lax.population_count(x) ^ lax.clz(x)) | lax.shift_left(x, x)


@program(F32)
def bitcast(x):
    return lax.bitcast_convert_type(x, jnp.int32)


@program(jnp.ones((2,), "uint32"))
def random_bits(key):
    return jax.random.bits(key, (8, 128), "uint32")


@program(F32)
def reversed_and_padded(x):
    return lax.pad(lax.rev(x, (0,)), jnp.float32(0), ((1, 1, 0), (0, 0, 1)))


@program(F32)
def dynamic_slice(x):
    return lax.dynamic_update_slice(x, lax.dynamic_slice(x, (np.int32(0),) * 2, (8, 8)), (np.int32(4),) * 2)


@program(F32)
def sparse_product(x):
    matrix = sparse.BCOO((x[0], jnp.zeros((128, 2), "int32")), shape=(128, 128))
    return matrix @ x


@program(F32)
def checked(x):
    def positive(x):
        checkify.check(jnp.all(x > np.float32(0)), "not positive")
        return lax.log(x)

    return checkify.checkify(positive)(x)[1]


@program(F32)
def in_host_memory(x):
    pinned = jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind="pinned_host")
    device = jax.sharding.SingleDeviceSharding(jax.devices()[0], memory_kind="device")
    return jax.device_put(jax.device_put(x, pinned), device) + x


enable_x64 = getattr(jax, "enable_x64", None)
if enable_x64 is None:
    from jax.experimental import enable_x64
MESH = Mesh(np.array(jax.devices()), ("x",))
SHARDED = jax.device_put(F32, NamedSharding(MESH, P("x")))


@program(SHARDED)
def all_to_all(x):
    return _shard_map(lambda x: lax.all_to_all(x, "x", 1, 0, tiled=True), P("x"), P("x"))(x)


@program(SHARDED)
def all_reduce(x):
    return _shard_map(lambda x: lax.psum(x, "x"), P("x"), P())(x)


@program(SHARDED)
def sharded_product(x):
    return lax.with_sharding_constraint(x @ x, NamedSharding(MESH, P(None, "x")))


def _shard_map(function, in_specs, out_specs):
    map_ = getattr(jax, "shard_map", None)
    if map_ is None:
        from jax.experimental.shard_map import shard_map as map_  # noqa: PLC0415 (older versions)
    return map_(function, mesh=MESH, in_specs=in_specs, out_specs=out_specs)


@program(ONES["float64"])
def f64_product(x):
    return x @ x


@program(ONES["float64"])
def f64_sine(x):
    return lax.sin(x)


@program(ONES["int64"])
def int64_sum(x):
    return x + x


@program(ONES["uint64"])
def uint64_product(x):
    return x * x


@program(ONES["complex64"])
def complex64_product(x):
    return x * x


@program(ONES["complex128"])
def complex128_sum(x):
    return x + x


@program(F32)
def pure_callback(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


@program(F32)
def ordered_callback(x):
    return io_callback(lambda x: x, jax.ShapeDtypeStruct(x.shape, x.dtype), x, ordered=True)


@program(F32)
def printed(x):
    jax.debug.print("{}", x)
    return x + x


@program(F32)
def on_the_host(x):
    from jax.experimental.compute_on import compute_on  # noqa: PLC0415

    try:
        with compute_on("device_host"):
            return x * x
    except TypeError:
        # In newer versions it takes the function.
        space = jax.memory.Space.Device
        return compute_on(lambda x: x * x, compute_type="device_host", out_memory_spaces=space)(x)


@program(F32)
def eigenvalues(x):
    return jnp.linalg.eigvals(x)


@program(F32)
def schur(x):
    return jax.scipy.linalg.schur(x)


@program(F32)
def indices_of_nonzero(x):
    return jnp.nonzero(x)


@program(F32)
def unaligned_blocks(x):
    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] + x_ref[...]

    block = pl.BlockSpec((3, 50), lambda i: (i, np.int32(0)))
    return pl.pallas_call(
        double, grid=(4,), in_specs=[block], out_specs=block, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype)
    )(x)


@program(F32)
def triton_kernel(x):
    from jax.experimental.pallas import triton  # noqa: PLC0415

    def double(x_ref, o_ref):
        o_ref[...] = x_ref[...] + x_ref[...]

    return pl.pallas_call(
        double, compiler_params=triton.CompilerParams(num_warps=4), out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype)
    )(x)


@program(ONES["complex128"])
def fft_of_c128(x):
    return lax.fft(x, "fft", (128,))


@program(F32)
def foreign_call(x):
    return jax.ffi.ffi_call("made_up_target", jax.ShapeDtypeStruct(x.shape, x.dtype))(x)


@program(F32)
def tf32_product(x):
    return lax.dot(x, x, precision=lax.DotAlgorithmPreset.TF32_TF32_F32)


@program(F32)
def too_much_of_vmem(x):
    from jax.experimental.pallas import tpu as pltpu  # noqa: PLC0415

    def double(x_ref, o_ref, scratch):
        scratch[:128] = x_ref[...]
        o_ref[...] = scratch[:128] + x_ref[...]

    return pl.pallas_call(
        double,
        out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype),
        scratch_shapes=[pltpu.VMEM((1 << 19, 128), jnp.float32)],
    )(x)


@custom_partitioning
def partitioned(x):
    return x + x


partitioned.def_partition(
    infer_sharding_from_operands=lambda _mesh, shapes, _result: shapes[0].sharding,
    partition=lambda mesh, shapes, result: (mesh, lambda x: x + x, result[0].sharding, (shapes[0].sharding,)),
    sharding_rule="i j -> i j",
)


@program(SHARDED)
def own_partitioning(x):
    return partitioned(x)


is_spoilt = "--spoilt" in sys.argv
"""Each program has an op beside it that a TPU refuses, so that none of them compiles."""


def spoilt(function):
    def both(*arguments):
        matrix = lax.full((4, 4), 1, np.float32)
        return function(*arguments), lax.linalg.eig(matrix)

    both.__name__ = both.__qualname__ = f"spoilt_{function.__name__}"
    return both


for each, given in PROGRAMS:
    is_wide = any(str(argument.dtype) in ("float64", "int64", "uint64", "complex128") for argument in given)
    try:
        with enable_x64(is_wide):
            jax.jit(spoilt(each) if is_spoilt else each)(*given)
    except Exception as error:
        print(each.__name__, type(error).__name__, str(error).splitlines()[:1])
print(len(PROGRAMS), "programs")
