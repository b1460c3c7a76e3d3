"""A language model of a few layers that predicts the next character."""

import jax
import jax.numpy as jnp
import numpy as np

VOCAB, DIM, HEADS, LAYERS, CONTEXT = 96, 128, 4, 3, 64


def init(key):
    keys = iter(jax.random.split(key, 2 + 4 * LAYERS))

    def dense(n, m):
        return jax.random.normal(next(keys), (n, m)) * 0.02

    blocks = [
        {"qkv": dense(DIM, 3 * DIM), "out": dense(DIM, DIM), "up": dense(DIM, 4 * DIM), "down": dense(4 * DIM, DIM)}
        for _ in range(LAYERS)
    ]
    return {"embed": dense(VOCAB, DIM), "position": dense(CONTEXT, DIM), "blocks": blocks}


def normed(x):
    return (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5)


def attend(block, x):
    b, t, _ = x.shape
    q, k, v = jnp.split(x @ block["qkv"], 3, axis=-1)
    q, k, v = (a.reshape(b, t, HEADS, -1).transpose(0, 2, 1, 3) for a in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(DIM // HEADS)
    scores = jnp.where(jnp.tril(jnp.ones((t, t), bool)), scores, -1e9)
    y = jax.nn.softmax(scores) @ v
    return y.transpose(0, 2, 1, 3).reshape(b, t, DIM) @ block["out"]


def loss_fn(params, tokens):
    x = params["embed"][tokens[:, :-1]] + params["position"]
    for block in params["blocks"]:
        x = x + attend(block, normed(x))
        x = x + jax.nn.gelu(normed(x) @ block["up"]) @ block["down"]
    logits = jax.nn.log_softmax(normed(x) @ params["embed"].T)
    return -jnp.mean(jnp.take_along_axis(logits, tokens[:, 1:, None], axis=-1))


@jax.jit
def train_step(params, m, v, step, tokens):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, v, grads)
    rate = 1e-3 * jnp.minimum(1.0, step / 20)
    params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, m, v)
    return params, m, v, loss


text = np.random.default_rng(0).integers(0, VOCAB, 100_000)
rng = np.random.default_rng(1)
params = init(jax.random.key(0))
m = jax.tree.map(jnp.zeros_like, params)
v = jax.tree.map(jnp.zeros_like, params)
for step in range(60):
    starts = rng.integers(0, len(text) - CONTEXT - 1, 8)
    tokens = np.stack([text[s : s + CONTEXT + 1] for s in starts])
    params, m, v, loss = train_step(params, m, v, step, tokens)
    if step % 10 == 0:
        print(f"{step}: {loss.item():.3f}")
