"""Writes what it has learned every fifth step, while the device waits; repaired, it writes at the end."""

import time

import jax
import numpy as np
from stand_in import REPAIRED, Clock, batches, device_works, start, step_on

train_step = step_on(device_works(0.004))


def save(weights):
    jax.block_until_ready(weights)
    time.sleep(0.03)  # line: save


def train(steps):
    weights = start()
    loader = batches(np.random.default_rng(0))
    for step in steps:
        weights, loss = train_step(weights, next(loader))
        jax.block_until_ready(loss)
        if step % 5 == 4 and not REPAIRED:
            save(weights)
    save(weights)


clock = Clock()
train(clock.steps(200))
clock.report()
