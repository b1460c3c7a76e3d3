"""Gradients of four small batches are added up before the weights change."""

import jax
import jax.numpy as jnp
import numpy as np

MICRO, SIZE = 4, 64


def loss_fn(params, x, y):
    h = jax.nn.silu(x @ params["in"])
    return jnp.mean((h @ params["out"] - y) ** 2)


grad_fn = jax.jit(jax.value_and_grad(loss_fn))


@jax.jit
def add(total, grads):
    return jax.tree.map(jnp.add, total, grads)


@jax.jit
def apply(params, grads):
    return jax.tree.map(lambda p, g: p - 0.1 * g / MICRO, params, grads)


rng = np.random.default_rng(0)
params = {
    "in": jnp.asarray(rng.normal(size=(128, 512)) * 0.1, jnp.float32),
    "out": jnp.asarray(rng.normal(size=(512, 8)) * 0.1, jnp.float32),
}
for step in range(60):
    total = jax.tree.map(jnp.zeros_like, params)
    for _ in range(MICRO):
        x = rng.normal(size=(SIZE, 128)).astype(np.float32)
        loss, grads = grad_fn(params, x, x[:, :8])
        total = add(total, grads)
    params = apply(params, total)
    if step % 10 == 0:
        print(step, loss)
