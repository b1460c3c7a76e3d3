"""A recurrent network by scan that learns to sum its inputs."""

import jax
import jax.numpy as jnp
import numpy as np

HIDDEN = 64


def run(params, xs):
    def cell(h, x):
        h = jnp.tanh(x @ params["wx"] + h @ params["wh"] + params["b"])
        return h, None

    h, _ = jax.lax.scan(cell, jnp.zeros((xs.shape[1], HIDDEN)), xs)
    return h @ params["wo"]


@jax.jit
def train_step(params, xs, ys):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((run(p, xs) - ys) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


def batch(rng):
    xs = rng.normal(size=(40, 32, 8)).astype(np.float32)
    return xs, xs.sum((0, 2))[:, None] / 10


rng = np.random.default_rng(0)
params = {
    "wx": jnp.asarray(rng.normal(size=(8, HIDDEN)) * 0.3, jnp.float32),
    "wh": jnp.eye(HIDDEN) * 0.9,
    "b": jnp.zeros(HIDDEN),
    "wo": jnp.zeros((HIDDEN, 1)),
}
losses = []
for _ in range(150):
    params, loss = train_step(params, *batch(rng))
    losses.append(loss)
print(np.mean([float(each) for each in losses[-10:]]))
