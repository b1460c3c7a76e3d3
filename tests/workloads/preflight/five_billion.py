"""Three steps of a decoder of five billion parameters with Adam, whose layers are scanned and recomputed.

Run dry its arrays take no memory. One chip of a v5e has no room for it: neither for its state nor for a step.
"""

import argparse
import functools

import jax
import jax.numpy as jnp

VOCABULARY = 32_000


def initial_state(key, width, layers):
    """Parameters, and the two moments of each."""
    names = {"qkv": (width, 3 * width), "out": (width, width), "up": (width, 4 * width), "down": (4 * width, width)}

    def matrices(own, rows, columns):
        # Layer by layer: the bits of all of them at once would be as large as they are.
        return jax.lax.map(lambda each: jax.random.normal(each, (rows, columns)) * rows**-0.5, own)  # line: matrices

    keys = jax.random.split(key, (len(names) + 1, layers))
    parameters = {
        "embedding": jax.random.normal(keys[-1, 0], (VOCABULARY, width)) * 0.02,
        "layers": {name: matrices(own, *shape) for own, (name, shape) in zip(keys[:-1], names.items(), strict=True)},
    }
    return {"parameters": parameters, "mean": zeros_like(parameters), "square": zeros_like(parameters)}


def zeros_like(tree):
    """Nothing, of the shapes of a tree."""
    return jax.tree.map(jnp.zeros_like, tree)


def normalized(x):
    """Over the last axis."""
    return x * jax.lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6)


def block(heads, x, layer):
    """Causal attention and a feed-forward network, each beside what it gets."""
    batch, length, width = x.shape
    query, key, value = jnp.split((normalized(x) @ layer["qkv"]).reshape(batch, length, heads, -1), 3, axis=-1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * (width // heads) ** -0.5  # line: scores
    weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((length, length), bool)), scores, -1e9))
    x = x + jnp.einsum("bhqk,bkhd->bqhd", weights, value).reshape(x.shape) @ layer["out"]
    return x + jax.nn.gelu(normalized(x) @ layer["up"]) @ layer["down"], None


def loss_of(parameters, tokens, heads):
    """Mean cross entropy of each token given those before it."""
    x = parameters["embedding"][tokens[:, :-1]]
    x, _ = jax.lax.scan(jax.checkpoint(functools.partial(block, heads)), x, parameters["layers"])  # line: scan
    return -jnp.mean(
        jnp.take_along_axis(jax.nn.log_softmax(x @ parameters["embedding"].T), tokens[:, 1:, None], axis=-1)
    )


@functools.partial(jax.jit, static_argnames="heads", donate_argnums=0)
def train_step(state, tokens, heads):
    """One update."""
    loss, gradients = jax.value_and_grad(loss_of)(state["parameters"], tokens, heads)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradients)
    square = jax.tree.map(lambda s, g: 0.95 * s + 0.05 * g * g, state["square"], gradients)
    parameters = jax.tree.map(lambda p, m, s: p - 1e-4 * m / (s**0.5 + 1e-8), state["parameters"], mean, square)
    return {"parameters": parameters, "mean": mean, "square": square}, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--width", type=int, default=4096)
    parser.add_argument("--layers", type=int, default=24)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--length", type=int, default=1024)
    options = parser.parse_args()
    state = jax.jit(initial_state, static_argnums=(1, 2))(jax.random.key(0), options.width, options.layers)
    print(f"{sum(each.size for each in jax.tree.leaves(state['parameters'])) / 1e9:.2f} billion parameters", flush=True)
    tokens = jnp.zeros((options.batch, options.length + 1), jnp.int32)
    for _ in range(3):
        state, loss = train_step(state, tokens, options.heads)
    print(f"loss {loss:.3f}")


if __name__ == "__main__":
    main()
