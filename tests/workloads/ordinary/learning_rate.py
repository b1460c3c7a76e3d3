"""Adam in the script itself, with a learning rate that warms up and falls as a cosine, computed by Python."""

import math
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

STEPS, WARMUP, PEAK = 150, 20, 3e-3


class State(NamedTuple):
    params: dict
    m: dict
    v: dict


def rate_at(step):
    if step < WARMUP:
        return PEAK * (step + 1) / WARMUP
    return PEAK * 0.5 * (1 + math.cos(math.pi * (step - WARMUP) / (STEPS - WARMUP)))


@jax.jit
def train_step(state, rate, x, y):
    def loss_fn(p):
        return jnp.mean((jnp.tanh(x @ p["a"]) @ p["b"] - y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state.m, grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, state.v, grads)
    params = jax.tree.map(lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), state.params, m, v)
    return State(params, m, v), loss


rng = np.random.default_rng(0)
params = {"a": jnp.asarray(rng.normal(size=(64, 256)) * 0.1, jnp.float32), "b": jnp.zeros((256, 4))}
zeros = jax.tree.map(jnp.zeros_like, params)
state = State(params, zeros, zeros)
for step in range(STEPS):
    x = rng.normal(size=(128, 64)).astype(np.float32)
    state, loss = train_step(state, rate_at(step), x, x[:, :4] ** 2)
    if step % 10 == 0:
        print(f"step {step} rate {rate_at(step):.5f} loss {loss:.4f}")
