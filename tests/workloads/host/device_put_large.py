"""Casts 32 MiB of pixels and puts them on the device in every step."""

import jax
import jax.numpy as jnp
import numpy as np
import truth_clock

ROWS, COLUMNS = 2048, 4096


@jax.jit
def train_step(weight, x):
    loss, gradient = jax.value_and_grad(lambda weight: jnp.mean((x @ weight - 1.0) ** 2))(weight)
    return weight - 0.01 * gradient, loss


def train(steps):
    generator = np.random.default_rng(0)
    pixels = generator.integers(0, 255, (ROWS, COLUMNS), dtype=np.uint8)
    weight = jnp.zeros((COLUMNS, 8))
    for _ in steps:
        x = pixels.astype(np.float32)  # line: cast
        on_device = jax.device_put(x)  # line: put
        on_device.block_until_ready()  # line: arrived
        weight, loss = train_step(weight, on_device)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(train)
    train(truth_clock.steps(120))
