"""Trains, and saves the weights every 40 steps."""

import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

folder = Path(tempfile.mkdtemp())


def save(step, params):
    np.savez(folder / f"weights-{step}.npz", **{name: np.asarray(value) for name, value in params.items()})


@jax.jit
def train_step(params, x):
    def loss_fn(params):
        return jnp.mean((jax.nn.relu(x @ params["a"]) @ params["b"] - x) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return {name: params[name] - 0.05 * grads[name] for name in params}, loss


rng = np.random.default_rng(0)
params = {
    "a": jnp.asarray(rng.normal(size=(256, 256)) * 0.05, jnp.float32),
    "b": jnp.asarray(rng.normal(size=(256, 256)) * 0.05, jnp.float32),
}
for step in range(160):
    x = rng.normal(size=(64, 256)).astype(np.float32)
    params, loss = train_step(params, x)
    if step % 40 == 39:
        save(step, params)
        print(step, loss)
