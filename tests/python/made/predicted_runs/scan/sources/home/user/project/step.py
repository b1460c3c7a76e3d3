"""Three steps of a small transformer, its layers as a scan, or as a loop of Python's with ``--unrolled``."""

import functools
import sys

import jax
import jax.numpy as jnp

BATCH, LENGTH, WIDTH, LAYERS, HEADS, VOCABULARY = 16, 1024, 1024, 4, 8, 8192


def normalized(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def attention(x, qkv, out):
    query, key, value = jnp.split((x @ qkv).reshape(BATCH, LENGTH, HEADS, -1), 3, axis=-1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key)
    weights = jax.nn.softmax(scores)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, value).reshape(BATCH, LENGTH, WIDTH) @ out


def block(x, layer):
    x = x + attention(normalized(x), layer["qkv"], layer["out"])
    return x + jax.nn.gelu(normalized(x) @ layer["up"]) @ layer["down"]


def loss(weights, tokens, *, is_unrolled):
    x = weights["token"][tokens]
    if is_unrolled:
        for layer in range(LAYERS):
            x = jax.checkpoint(block)(x, jax.tree.map(lambda each, layer=layer: each[layer], weights["layers"]))
    else:
        x, _ = jax.lax.scan(lambda x, layer: (jax.checkpoint(block)(x, layer), None), x, weights["layers"])
    logits = x @ weights["token"].T
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[..., None], axis=-1))


@functools.partial(jax.jit, static_argnames="is_unrolled", donate_argnums=0)
def train_step(weights, tokens, *, is_unrolled):
    value, gradients = jax.value_and_grad(loss)(weights, tokens, is_unrolled=is_unrolled)
    return jax.tree.map(lambda w, g: w - 0.01 * g, weights, gradients), value


@jax.jit
def initial():
    layers = {
        "qkv": jnp.ones((LAYERS, WIDTH, 3 * WIDTH)),
        "out": jnp.ones((LAYERS, WIDTH, WIDTH)),
        "up": jnp.ones((LAYERS, WIDTH, 4 * WIDTH)),
        "down": jnp.ones((LAYERS, 4 * WIDTH, WIDTH)),
    }
    return {"token": jnp.ones((VOCABULARY, WIDTH)), "layers": layers}, jnp.zeros((BATCH, LENGTH), jnp.int32)


weights, tokens = initial()
for _ in range(3):
    weights, value = train_step(weights, tokens, is_unrolled="--unrolled" in sys.argv)
