"""An LSTM by scan with vmap over the batch, and the loss printed by a small logger."""

import time

import jax
import jax.numpy as jnp
import numpy as np

SIZE, INPUTS = 64, 16


class Logger:
    def __init__(self, every):
        self.every, self.since = every, time.time()

    def log(self, step, loss):
        if step % self.every == 0:
            now = time.time()
            print(f"step={step} loss={float(loss):.4f} seconds={now - self.since:.2f}")
            self.since = now


def cell(params, carry, x):
    h, c = carry
    gates = jnp.concatenate([x, h]) @ params["w"] + params["b"]
    i, f, g, o = jnp.split(gates, 4)
    c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
    h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return (h, c), h


def predict(params, xs):
    zeros = jnp.zeros(SIZE)
    _, hs = jax.lax.scan(lambda carry, x: cell(params, carry, x), (zeros, zeros), xs)
    return hs[-1] @ params["out"]


def loss_fn(params, xs, ys):
    return jnp.mean((jax.vmap(predict, in_axes=(None, 0))(params, xs) - ys) ** 2)


@jax.jit
def update(params, xs, ys):
    loss, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), loss


rng = np.random.default_rng(0)
params = {
    "w": jnp.asarray(rng.normal(size=(INPUTS + SIZE, 4 * SIZE)) * 0.1, jnp.float32),
    "b": jnp.zeros(4 * SIZE),
    "out": jnp.zeros(SIZE),
}
logger = Logger(20)
for step in range(100):
    xs = rng.normal(size=(32, 30, INPUTS)).astype(np.float32)
    params, loss = update(params, xs, xs[:, -1, 0])
    logger.log(step, loss)
