"""The training loop: python -m gpt.train --steps 300."""

import argparse

import jax

from . import data
from .model import initial_parameters, next_token_loss


@jax.jit
def train_step(parameters, tokens):
    """One update of the parameters; returns the loss before it."""
    loss, gradients = jax.value_and_grad(next_token_loss)(parameters, tokens)
    return jax.tree.map(lambda each, gradient: each - 0.1 * gradient, parameters, gradients), loss


def main():
    """Reads the options and trains."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    options = parser.parse_args()
    length = 64
    parameters = initial_parameters(jax.random.key(0), options.width, options.layers, length)
    for step, tokens in zip(range(options.steps), data.batches(options.batch, length), strict=False):
        parameters, loss = train_step(parameters, tokens)
        if step % 50 == 0:
            print(f"step {step} loss {loss:.3f}")


if __name__ == "__main__":
    main()
