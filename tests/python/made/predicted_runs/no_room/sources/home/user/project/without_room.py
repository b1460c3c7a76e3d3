"""A step whose activations do not fit into the memory of a chip."""

import jax
import jax.numpy as jnp
import numpy as np

WIDTH, LAYERS = 16384, 16


def loss(weights, x):
    for weight in weights:
        x = jnp.sin(x @ weight)
    return jnp.sum(x)


@jax.jit
def step(weights, x):
    return jax.grad(loss)(weights, x)


weights = jax.jit(lambda: [jnp.ones((WIDTH, WIDTH), jnp.bfloat16) for _ in range(LAYERS)])()
x = jax.device_put(np.ones((WIDTH, WIDTH), np.float32))
for _ in range(3):
    step(weights, x)
