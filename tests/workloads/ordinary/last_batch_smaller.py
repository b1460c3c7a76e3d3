"""Epochs whose last batch is smaller than the others."""

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
x_all = rng.normal(size=(1000, 32)).astype(np.float32)
y_all = np.sin(x_all.sum(-1, keepdims=True))


@jax.jit
def train_step(params, x, y):
    def loss_fn(params):
        return jnp.mean((jnp.tanh(x @ params[0]) @ params[1] - y) ** 2)

    grads = jax.grad(loss_fn)(params)
    return [p - 0.05 * g for p, g in zip(params, grads, strict=True)]


params = [jnp.asarray(rng.normal(size=(32, 512)) * 0.2, jnp.float32), jnp.zeros((512, 1))]
for _epoch in range(8):
    for start in range(0, 1000, 64):
        params = train_step(params, x_all[start : start + 64], y_all[start : start + 64])
print(float(jnp.mean((jnp.tanh(x_all @ params[0]) @ params[1] - y_all) ** 2)))
