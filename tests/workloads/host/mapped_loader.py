"""A loader that waits 20 ms for each batch of a step that `jax.pmap` maps over two devices of the CPU."""

import os
import time

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
import truth_clock

WIDTH, BATCH = 256, 64


def loss_of(weight, x):
    return jnp.mean((x @ weight - 1.0) ** 2)


def update(weight, x):
    loss, gradient = jax.value_and_grad(loss_of)(weight, x)
    return weight - 0.01 * jax.lax.pmean(gradient, "devices"), loss


def batches(steps):
    x = np.random.default_rng(0).standard_normal((2, BATCH, WIDTH), dtype=np.float32)
    for _ in steps:
        time.sleep(0.020)  # line: load
        yield x


def train(steps):
    step = jax.pmap(update, axis_name="devices")
    weight = jnp.zeros((2, WIDTH, 8))
    for batch in batches(steps):
        weight, loss = step(weight, batch)  # line: step
    print(f"loss {np.asarray(loss)[0]:.4f}")


if __name__ == "__main__":
    truth_clock.watch(batches, train)
    train(truth_clock.steps(200))
