"""Has XLA write each program to a folder, as was left on after debugging; repaired, it does not."""

import os
import tempfile

from stand_in import REPAIRED, Clock, batches, device_works, start, step_on

if not REPAIRED:
    # It is read when the first program is compiled.
    os.environ["XLA_FLAGS"] += f" --xla_dump_to={tempfile.mkdtemp()}"  # line: flag

import jax
import numpy as np

train_step = step_on(device_works(0.004))


def train(steps):
    weights = start()
    loader = batches(np.random.default_rng(0))
    for step in steps:
        weights, loss = train_step(weights, next(loader))
        if step % 25 == 0:
            print(f"step {step} loss {loss:.4f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(100))
clock.report()
