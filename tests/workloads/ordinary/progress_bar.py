"""Shows the loss of each step, as a progress bar does."""

import sys

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def train_step(w, x, y):
    loss, grad = jax.value_and_grad(lambda w: jnp.mean((jnp.sin(x @ w) - y) ** 2))(w)
    return w - 0.1 * grad, loss


rng = np.random.default_rng(0)
w = jnp.asarray(rng.normal(size=(512, 256)) * 0.05, jnp.float32)
steps = 120
for step in range(steps):
    x = rng.normal(size=(256, 512)).astype(np.float32)
    w, loss = train_step(w, x, np.sin(x[:, :256]))
    sys.stderr.write(f"\r{step + 1}/{steps} loss {loss:.4f}")
sys.stderr.write("\n")
