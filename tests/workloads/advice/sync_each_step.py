"""Reads the loss in each step, so that what the host does then waits for the device; repaired, every 50 steps."""

import time

import jax
import numpy as np
from stand_in import REPAIRED, Clock, batches, device_works, start, step_on

READ_EVERY = 50 if REPAIRED else 1
train_step = step_on(device_works(0.020))


def prepare(batch):
    time.sleep(0.007)  # line: prepare
    return batch


def train(steps):
    weights = start()
    loader = batches(np.random.default_rng(0))
    total = 0.0
    for step in steps:
        x = prepare(next(loader))  # line: loads
        weights, loss = train_step(weights, x)  # line: step
        if step % READ_EVERY == 0:
            total += float(loss)  # line: read
    jax.block_until_ready(weights)
    print(f"mean loss {total:.4f}")


clock = Clock()
train(clock.steps(200))
clock.report()
