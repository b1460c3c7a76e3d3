"""A loader that takes longer than the device; repaired, one that takes no time."""

import time

import jax
import numpy as np
from stand_in import REPAIRED, Clock, batches, device_works, start, step_on

LOAD_SECONDS = 0.0 if REPAIRED else 0.020
train_step = step_on(device_works(0.005))


def load(stored):
    for batch in stored:
        time.sleep(LOAD_SECONDS)  # line: load
        yield batch


def train(steps):
    weights = start()
    loader = load(batches(np.random.default_rng(0)))
    for step in steps:
        x = next(loader)  # line: next
        weights, loss = train_step(weights, x)  # line: step
        if step % 25 == 0:
            print(f"step {step} loss {loss:.4f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(150))
clock.report()
