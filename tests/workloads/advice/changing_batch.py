"""Batches whose size changes from step to step, each of which is compiled anew; repaired, they are padded to one."""

import jax
import numpy as np
from stand_in import BATCH, REPAIRED, WIDTH, Clock, device_works, start, step_on

train_step = step_on(device_works(0.005))


def load(generator, step):
    rows = BATCH + 100 if REPAIRED else BATCH + step
    return generator.standard_normal((rows, WIDTH), dtype=np.float32)


def train(steps):
    generator = np.random.default_rng(0)
    weights = start()
    for step in steps:
        x = load(generator, step)
        weights, loss = train_step(weights, x)  # line: step
        if step % 25 == 0:
            print(f"step {step} loss {loss:.4f}")
    jax.block_until_ready(weights)


clock = Clock()
train(clock.steps(45))
clock.report()
