"""Small programs of many kinds, to hold the cost model against XLA's count: a function and its arguments by name."""

import jax
import jax.numpy as jnp
from jax import lax

MATRIX = jnp.linspace(0.1, 0.9, 64 * 48).reshape(64, 48)
SQUARE = jnp.eye(64) * 4 + 0.01
VECTOR = jnp.linspace(-2.0, 2.0, 4096)
IMAGES = jnp.ones((4, 16, 17, 8))
KERNEL = jnp.ones((3, 3, 8, 12))
TOKENS = jnp.arange(96) % 50
TABLE = jnp.ones((50, 32))
MASK = jnp.tril(jnp.ones((32, 32), bool))


def convolve(**options):
    numbers = {3: ("NWC", "WIO", "NWC"), 4: ("NHWC", "HWIO", "NHWC")}
    options = {"window_strides": None, "padding": "SAME", **options}

    def function(a, b):
        strides = options["window_strides"] or (1,) * (a.ndim - 2)
        return lax.conv_general_dilated(
            a, b, **{**options, "window_strides": strides}, dimension_numbers=numbers[a.ndim]
        )

    return function


def gradient(function):
    def both(*arguments):
        return jax.grad(lambda *each: jnp.sum(function(*each) ** 2), tuple(range(len(arguments))))(*arguments)

    return both


def pool(a):
    return lax.reduce_window(a, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def layer_norm(a):
    centred = a - a.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-6)


def attention(q, k, v):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4.0
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(MASK, scores, -1e9)), v)


def mlp_step(first, second, x, y):
    def loss(weights):
        hidden = jax.nn.gelu(x @ weights[0])
        return jnp.mean((hidden @ weights[1] - y) ** 2)

    weights = (first, second)
    return jax.tree.map(lambda weight, slope: weight - 0.1 * slope, weights, jax.grad(loss)(weights))


def scan(a, b):
    return lax.scan(lambda carry, each: (jnp.tanh(carry @ a) + each, carry.sum()), b, jnp.ones((10, 64)))


def branch(a):
    return lax.cond(a[0, 0] > 0, lambda a: jnp.tanh(a @ a.T) @ a, lambda a: jnp.sin(a) * 2, a)


def loop(a):
    return lax.while_loop(lambda state: state[0] < 5, lambda state: (state[0] + 1, state[1] @ SQUARE), (0, a))


HEADS = (jnp.ones((2, 32, 4, 16)),) * 3

PROGRAMS = {
    "matrix times vector": (lambda a, b: a @ b, MATRIX, jnp.ones(48)),
    "matrix product": (lambda a, b: a @ b, MATRIX, jnp.ones((48, 32))),
    "batched product": (jnp.matmul, jnp.ones((5, 6, 7)), jnp.ones((5, 7, 9))),
    "product of ranks 4 and 2": (lambda a, b: a @ b, jnp.ones((2, 3, 16, 24)), jnp.ones((24, 40))),
    "einsum of two contracted": (
        lambda a, b: jnp.einsum("ijk,jkl->il", a, b),
        jnp.ones((5, 6, 7)),
        jnp.ones((6, 7, 9)),
    ),
    "outer product": (jnp.outer, jnp.ones(300), jnp.ones(200)),
    "product in bf16": (lambda a, b: a @ b, MATRIX.astype("bfloat16"), jnp.ones((48, 32), "bfloat16")),
    "product in int8": (
        lambda a, b: lax.dot(a, b, preferred_element_type=jnp.int32),
        jnp.ones((64, 48), "int8"),
        jnp.ones((48, 32), "int8"),
    ),
    "complex product": (lambda a, b: a @ b, MATRIX * 1j, jnp.ones((48, 32), "complex64")),
    "ragged product": (lax.ragged_dot, jnp.ones((64, 32)), jnp.ones((4, 32, 16)), jnp.array([16, 8, 24, 16])),
    "convolution of lines": (convolve(), jnp.ones((4, 50, 8)), jnp.ones((5, 8, 12))),
    "convolution of images": (convolve(), IMAGES, KERNEL),
    "strided and dilated": (convolve(window_strides=(2, 3), rhs_dilation=(2, 1)), IMAGES, KERNEL),
    "transposed convolution": (convolve(padding=((2, 1), (0, 3)), lhs_dilation=(3, 2)), IMAGES, KERNEL),
    "grouped convolution": (convolve(feature_group_count=2), IMAGES, jnp.ones((3, 3, 4, 12))),
    "depthwise convolution": (convolve(feature_group_count=8), IMAGES, jnp.ones((3, 3, 1, 16))),
    "gradient of a convolution": (gradient(convolve(window_strides=(2, 2))), IMAGES, KERNEL),
    "gradient of a grouped convolution": (
        gradient(convolve(feature_group_count=2)),
        IMAGES,
        jnp.ones((3, 3, 4, 12)),
    ),
    "sum": (lambda a: a.sum(0), MATRIX),
    "argmax": (lambda a: jnp.argmax(a, 1), MATRIX),
    "cumulative sum": (lambda a: jnp.cumsum(a, 1), MATRIX),
    "softmax": (jax.nn.softmax, MATRIX),
    "layer norm": (layer_norm, MATRIX),
    "gather of rows": (lambda a, i: a[i], TABLE, TOKENS),
    "take along an axis": (lambda a, i: jnp.take_along_axis(a, i, 1), MATRIX, jnp.zeros((64, 10), int)),
    "embedding and its gradient": (lambda a, i: jax.grad(lambda a: jnp.sum(a[i] ** 2))(a), TABLE, TOKENS),
    "scatter add": (lambda a, i: a.at[i].add(2.0), TABLE, TOKENS),
    "sort": (lambda a: jnp.sort(a, 1), MATRIX),
    "sort of pairs": (lambda a: jnp.argsort(a, 1), MATRIX),
    "top k": (lambda a: lax.top_k(a, 5), MATRIX),
    "fft": (jnp.fft.fft, jnp.ones((16, 256), "complex64")),
    "fft of reals": (jnp.fft.rfft, jnp.ones((16, 256))),
    "fft of two dimensions": (jnp.fft.fft2, jnp.ones((8, 32, 64), "complex64")),
    "cholesky": (jnp.linalg.cholesky, SQUARE),
    "triangular solve": (
        lambda a, b: lax.linalg.triangular_solve(a, b, left_side=True, lower=True),
        SQUARE,
        jnp.ones((64, 8)),
    ),
    "qr": (lambda a: jnp.linalg.qr(a)[0] @ a, SQUARE),
    "scan": (scan, SQUARE, jnp.ones((8, 64))),
    "while": (loop, jnp.ones((32, 64))),
    "cond": (branch, MATRIX),
    "random": (lambda key: jax.random.normal(key, (64, 64)), jax.random.key(0)),
    "random bits": (lambda key: jax.random.bits(key, (64, 64)), jax.random.key(0, impl="rbg")),
    "dropout": (
        lambda key, a: jnp.where(jax.random.bernoulli(key, 0.9, a.shape), a / 0.9, 0),
        jax.random.key(0),
        MATRIX,
    ),
    "one hot": (lambda i: jax.nn.one_hot(i, 50), TOKENS),
    "pooling": (pool, IMAGES),
    "gradient of pooling": (gradient(pool), IMAGES),
    "attention": (attention, *HEADS),
    "gradient of attention": (gradient(attention), *HEADS),
    "training step": (mlp_step, jnp.ones((48, 96)), jnp.ones((96, 16)), MATRIX, jnp.ones((64, 16))),
    "dynamic slice": (lambda a, i: lax.dynamic_slice(a, (i, 0), (8, 48)) * 2, MATRIX, 3),
    "dynamic update": (lambda a, b, i: lax.dynamic_update_slice(a, b, (i, 0)), MATRIX, jnp.ones((8, 48)), 3),
    "concatenate and pad": (lambda a: jnp.pad(jnp.concatenate([a, a * 2]), 3), MATRIX),
    "transpose": (lambda a: a.T.copy(), MATRIX),
    "iota": (lambda a: a + jnp.arange(48), MATRIX),
    "clamp and select": (lambda a: jnp.where(a > 0.5, jnp.clip(a, 0.2, 0.7), a), MATRIX),
    "erf, tanh, pow": (lambda a: lax.erf(a) + jnp.tanh(a) ** 1.7, VECTOR),
    "sine and cosine": (lambda a: jnp.sin(a) * jnp.cos(a), VECTOR),
    "complex arithmetic": (lambda a: jnp.abs(jnp.exp(a) * a), MATRIX * 1j),
    "bits": (lambda a: lax.population_count(a ^ (a << 3)), TOKENS),
    "batch norm": (lambda a: (a - a.mean(0)) / jnp.sqrt(a.var(0) + 1e-5), MATRIX),
    "log-sum-exp": (lambda a: jax.nn.logsumexp(a, 1), MATRIX),
    "checkpoint": (gradient(jax.checkpoint(lambda a, b: jnp.tanh(jnp.sin(a @ b)))), MATRIX, jnp.ones((48, 32))),
}
