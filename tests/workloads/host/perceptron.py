"""The model of most of these scripts: of interest is what happens between its steps."""

import jax
import jax.numpy as jnp

WIDTH = 384
BATCH = 192


def start():
    keys = jax.random.split(jax.random.key(0), 3)
    return [jax.random.normal(key, (WIDTH, WIDTH)) / WIDTH**0.5 for key in keys]


def loss_of(weights, x, y):
    for weight in weights[:-1]:
        x = jax.nn.relu(x @ weight)
    return jnp.mean((x @ weights[-1] - y) ** 2)


@jax.jit
def train_step(weights, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    return [weight - 0.01 * gradient for weight, gradient in zip(weights, gradients, strict=True)], loss
