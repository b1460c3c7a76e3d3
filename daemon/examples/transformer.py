"""Trains a small language model on arithmetic sums: scopelight run transformer.py --layers 6."""

import argparse
import functools

import jax
import numpy as np
from decoder import initial_parameters, next_token_loss
from optimizer import adam_update, initial_state


def sums(batch, length, seed=0):
    """Batches of text such as ``17+5=22;``, one byte per token, without end."""
    random = np.random.default_rng(seed)
    while True:
        rows = []
        for _ in range(batch):
            text = ""
            while len(text) <= length:
                a, b = random.integers(100, size=2)
                text += f"{a}+{b}={a + b};"
            rows.append(np.frombuffer(text[: length + 1].encode(), np.uint8))
        yield np.stack(rows).astype(np.int32)


@functools.partial(jax.jit, static_argnames="heads", donate_argnums=(0, 1))
def train_step(parameters, state, tokens, heads):
    """One update of the parameters; returns the loss before it."""
    loss, gradients = jax.value_and_grad(next_token_loss)(parameters, tokens, heads)
    parameters, state = adam_update(parameters, gradients, state)
    return parameters, state, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--length", type=int, default=64)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=4)
    options = parser.parse_args()

    key = jax.random.key(0)
    parameters = initial_parameters(key, 128, options.width, options.layers, options.length)
    state = initial_state(parameters)
    batches = sums(options.batch, options.length)
    for step in range(options.steps):
        parameters, state, loss = train_step(parameters, state, next(batches), options.heads)
        if step % 20 == 0 or step == options.steps - 1:
            print(f"step {step:4d}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
