"""Linear regression on data that fits in memory."""

import jax
import jax.numpy as jnp

key = jax.random.key(0)
x = jax.random.normal(key, (10_000, 50))
true_weights = jnp.arange(50.0)
y = x @ true_weights + 0.1 * jax.random.normal(key, (10_000,))


def loss(weights):
    return jnp.mean((x @ weights - y) ** 2)


@jax.jit
def update(weights):
    return weights - 0.1 * jax.grad(loss)(weights)


weights = jnp.zeros(50)
for i in range(200):
    weights = update(weights)
    if i % 50 == 0:
        print(i, loss(weights))
print(weights[:5])
