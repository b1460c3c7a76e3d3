"""A program of 28,000 instructions that compiles in seconds: Python's own loop writes every layer out."""

import argparse

import jax
import jax.numpy as jnp

SORTED_EVERY = 8
"""A sort compares by a computation of its own: many instructions for little to compile."""


def layer(x, weight, number):
    """One of the layers."""
    with jax.named_scope(f"block{number % 24}"):
        x = x @ weight
        return jax.lax.sort(x) if number % SORTED_EVERY == 0 else x


def main() -> None:
    """Run the program some times."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=4000)
    parser.add_argument("--steps", type=int, default=6)
    arguments = parser.parse_args()

    @jax.jit
    def unrolled(x, weight):
        for number in range(arguments.layers):
            x = layer(x, weight, number)
        return x

    x, weight = jnp.ones((8, 16)), jnp.eye(16)
    for _ in range(arguments.steps):
        x = unrolled(x, weight).block_until_ready()


if __name__ == "__main__":
    main()
