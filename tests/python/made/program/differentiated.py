"""Functions of many kinds and what jax compiles of their gradients, for tests of phases.

    python differentiated.py FOLDER

writes for each function three serialized modules: a training step, and its two passes compiled apart.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax

ROWS = jnp.linspace(-2.0, 2.0, 64 * 128).reshape(64, 128)
IMAGES = jnp.linspace(-1.0, 1.0, 8 * 32 * 32 * 4).reshape(8, 32, 32, 4)
SQUARE = jnp.eye(48) * 4 + jnp.linspace(0.0, 0.01, 48 * 48).reshape(48, 48)


def pool(x, reduce=lax.max, first=-jnp.inf, size=2, stride=2, padding="VALID"):
    return lax.reduce_window(x, first, reduce, (1, size, size, 1), (1, stride, stride, 1), padding)


def positive(x):
    return x @ x.T + jnp.eye(x.shape[0])


def repeated(function):
    def loop(x):
        return lax.scan(lambda carry, _: (0.5 * function(carry), carry.sum()), x, None, length=4)[0]

    return loop


@jax.custom_vjp
def clipped(x):
    return jnp.tanh(jnp.cumsum(x, 1))


clipped.defvjp(
    lambda x: (clipped(x), x),
    lambda x, slope: (lax.cumsum(jnp.clip(slope, -1, 1) * (1 - jnp.tanh(x) ** 2), 1, reverse=True),),
)


@jax.custom_jvp
def softened(x):
    return jnp.log1p(jnp.exp(x))


@softened.defjvp
def _(values, slopes):
    return softened(values[0]), jax.nn.sigmoid(values[0]) * slopes[0]


def cumsum(x):
    return jnp.cumsum(x, 1)


def sort(x):
    return jnp.sort(x, 1)


FUNCTIONS = {
    "max_pool": (pool, IMAGES),
    "max_pool, overlapping": (lambda x: pool(x, size=3, padding="SAME"), IMAGES),
    "min_pool": (lambda x: pool(x, lax.min, jnp.inf), IMAGES),
    "avg_pool": (lambda x: pool(x, lax.add, 0.0), IMAGES),
    "max_pool, vmapped": (jax.vmap(lambda x: pool(x[None])[0]), IMAGES),
    "max_pool, scoped": (jax.named_scope("block")(pool), IMAGES),
    "max_pool in a scan": (repeated(lambda x: pool(x, size=3, stride=1, padding="SAME")), IMAGES),
    "cumsum": (cumsum, ROWS),
    "cumsum in a scan": (repeated(cumsum), ROWS),
    "cumprod": (lambda x: jnp.cumprod(x, 1), ROWS),
    "cummax": (lambda x: lax.cummax(x, 1), ROWS),
    "cumlogsumexp": (lambda x: lax.cumlogsumexp(x, 1), ROWS),
    "sort": (sort, ROWS),
    "sort in a scan": (repeated(sort), ROWS),
    "sort by keys": (lambda x: lax.sort((x, x * 2), dimension=1, num_keys=1)[1], ROWS),
    "argsort and gather": (lambda x: jnp.take_along_axis(x, jnp.argsort(x, 1), 1), ROWS),
    "sort or cumsum": (lambda x: lax.cond(x[0, 0] > 0, sort, cumsum, x), ROWS),
    "median": (lambda x: jnp.median(x, 1), ROWS),
    "top_k": (lambda x: lax.top_k(x, 5)[0], ROWS),
    "prod": (lambda x: jnp.prod(x, 1), ROWS),
    "logsumexp": (lambda x: jax.nn.logsumexp(x, 1), ROWS),
    "softmax": (lambda x: jax.nn.softmax(x, 1), ROWS),
    "cross entropy": (
        lambda x: jnp.take_along_axis(jax.nn.log_softmax(x), (jnp.arange(64) % 9)[:, None], 1),
        ROWS,
    ),
    "relu": (jax.nn.relu, ROWS),
    "gelu": (jax.nn.gelu, ROWS),
    "silu": (jax.nn.silu, ROWS),
    "interp": (lambda x: jnp.interp(x, jnp.linspace(-1, 1, 99), jnp.linspace(0, 3, 99)), ROWS),
    "gather": (lambda x: x[jnp.arange(30) % 7], ROWS),
    "scatter": (lambda x: jnp.zeros_like(x).at[jnp.arange(64) % 9].add(x), ROWS),
    "segment_max": (lambda x: jax.ops.segment_max(x, jnp.arange(64) % 9, 9), ROWS),
    "dropout": (
        lambda x: jnp.where(jax.random.bernoulli(jax.random.PRNGKey(0), 0.5, x.shape), x * 2, 0),
        ROWS,
    ),
    "convolution": (
        lambda x: lax.conv_general_dilated(
            x, jnp.ones((3, 3, 4, 8)), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        ),
        IMAGES,
    ),
    "convolve": (lambda x: jnp.convolve(x[0], x[1]), ROWS),
    "fft": (lambda x: jnp.abs(jnp.fft.fft(x)), ROWS),
    "cholesky": (lambda x: jnp.linalg.cholesky(positive(x)), SQUARE),
    "triangular solve": (lambda x: jax.scipy.linalg.solve_triangular(x, x.T, lower=True), SQUARE),
    "solve": (lambda x: jnp.linalg.solve(x, x.T), SQUARE),
    "eigh": (lambda x: jnp.linalg.eigh(positive(x))[1], SQUARE),
    "qr": (lambda x: jnp.linalg.qr(x)[0], SQUARE),
    "svd": (lambda x: jnp.linalg.svd(x, compute_uv=False), SQUARE),
    "custom_vjp": (clipped, ROWS),
    "custom_jvp": (softened, ROWS),
    "recomputed cumsum": (jax.checkpoint(lambda x: jnp.sin(cumsum(jnp.sin(x)))), ROWS),
    "recomputed sort": (jax.checkpoint(lambda x: jnp.sin(sort(jnp.sin(x)))), ROWS),
    "recomputed max_pool": (jax.checkpoint(lambda x: jnp.sin(pool(jnp.sin(x)))), IMAGES),
    "recomputed sort in a scan": (repeated(jax.checkpoint(lambda x: sort(jnp.sin(x)))), ROWS),
}


def modules(name):
    """The serialized modules of a training step, of its forward pass and of its backward pass."""
    function, x = FUNCTIONS[name]

    def loss(x):
        return jnp.sum(function(jnp.sin(x)) ** 2)

    def step(x):
        value, slope = jax.value_and_grad(loss)(x)
        return x - 0.1 * slope, value

    def forward(x):
        return jax.vjp(loss, x)

    def backward(back, slope):
        return back(slope)

    value, back = jax.eval_shape(forward, x)
    return _compiled(step, x), _compiled(forward, x), _compiled(backward, back, value)


def _compiled(function, *arguments):
    executable = jax.jit(function).lower(*arguments).compile().runtime_executable()
    return executable.hlo_modules()[0].as_serialized_hlo_module_proto()


def main(folder):
    for number, name in enumerate(FUNCTIONS):
        for data, what in zip(modules(name), ("step", "forward", "backward"), strict=True):
            (Path(folder) / f"{number}.{what}.hlo.pb").write_bytes(data)


if __name__ == "__main__":
    main(*sys.argv[1:])
