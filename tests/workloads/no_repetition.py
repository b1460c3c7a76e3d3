"""Work that never repeats: every product has a shape of its own, outside any jit."""

import jax.numpy as jnp
from ground_truth import StepClock


def main():
    for size in range(200, 760, 14):
        x = jnp.ones((size, size + 1))  # line: arrays
        y = jnp.ones((size + 1, 2 * size))  # line: ones
        (x @ y).block_until_ready()  # line: product
    StepClock().report()


main()
