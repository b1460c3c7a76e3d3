"""A decoder-only transformer: layers stacked and scanned, each recomputed in the backward pass."""

import functools

import jax
import jax.numpy as jnp


def initial_parameters(key, vocabulary, width, layers, length):
    """Embeddings, and every layer's weights stacked along a leading axis."""
    keys = jax.random.split(key, 6)

    def matrices(own, rows, columns):
        return jax.random.normal(own, (layers, rows, columns)) / jnp.sqrt(rows)

    return {
        "token": jax.random.normal(keys[0], (vocabulary, width)) * 0.02,
        "position": jax.random.normal(keys[1], (length, width)) * 0.02,
        "layers": {
            "scale": jnp.ones((layers, 2, width)),
            "qkv": matrices(keys[2], width, 3 * width),
            "out": matrices(keys[3], width, width),
            "up": matrices(keys[4], width, 4 * width),
            "down": matrices(keys[5], 4 * width, width),
        },
    }


def normalized(x, scale):
    """Root-mean-square normalization over the last axis."""
    return scale * x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def attention(x, qkv, out, heads):
    """Causal self-attention."""
    batch, length, width = x.shape
    query, key, value = jnp.split((x @ qkv).reshape(batch, length, heads, -1), 3, axis=-1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / jnp.sqrt(query.shape[-1])
    causal = jnp.tril(jnp.ones((length, length), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9))
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, value)
    return mixed.reshape(batch, length, width) @ out


def block(heads, x, layer):
    """One layer: attention and a feed-forward network, each around a residual."""
    x = x + attention(normalized(x, layer["scale"][0]), layer["qkv"], layer["out"], heads)
    hidden = normalized(x, layer["scale"][1]) @ layer["up"]
    hidden = jax.nn.gelu(hidden)
    return x + hidden @ layer["down"], None


def next_token_loss(parameters, tokens, heads):
    """Mean cross entropy of each token given those before it."""
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    x = parameters["token"][inputs] + parameters["position"][: inputs.shape[1]]
    x, _ = jax.lax.scan(jax.checkpoint(functools.partial(block, heads)), x, parameters["layers"])
    scores = x @ parameters["token"].T
    log_probability = jax.nn.log_softmax(scores)
    return -jnp.mean(jnp.take_along_axis(log_probability, targets[..., None], axis=-1))
