"""The decoder and its loss."""

import jax
import jax.numpy as jnp

TOKENS = 256


def initial_parameters(key, width, layers, length):
    """Weights of every layer, small and random."""
    keys = iter(jax.random.split(key, 2 + 4 * layers))

    def weights(*shape):
        return 0.02 * jax.random.normal(next(keys), shape)

    return {
        "tokens": weights(TOKENS, width),
        "places": weights(length, width),
        "blocks": [
            {
                "qkv": weights(width, 3 * width),
                "out": weights(width, width),
                "up": weights(width, 4 * width),
                "down": weights(4 * width, width),
            }
            for _ in range(layers)
        ],
    }


def normalised(x):
    """Each vector with mean 0 and variance 1."""
    centred = x - x.mean(-1, keepdims=True)
    return centred * jax.lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def attention(block, x):
    """Causal self-attention with one head."""
    query, key, value = jnp.split(x @ block["qkv"], 3, -1)
    scores = query @ key.swapaxes(-1, -2) / x.shape[-1] ** 0.5
    causal = jnp.tril(jnp.ones(scores.shape[-2:], bool))
    return jax.nn.softmax(jnp.where(causal, scores, -jnp.inf)) @ value @ block["out"]


def next_token_loss(parameters, tokens):
    """Mean cross entropy of each token after those before it."""
    x = parameters["tokens"][tokens[:, :-1]] + parameters["places"]
    for block in parameters["blocks"]:
        x = x + attention(block, normalised(x))
        hidden = jax.nn.gelu(normalised(x) @ block["up"])
        x = x + hidden @ block["down"]
    logits = normalised(x) @ parameters["tokens"].T
    right = jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1)
    return -right.mean()
