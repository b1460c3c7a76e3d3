"""Two threads read batches ahead and do not keep up with the device; repaired, eight of them do."""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np
from stand_in import BATCH, REPAIRED, WIDTH, Clock, device_works, start, step_on

WORKERS = 8 if REPAIRED else 2
AHEAD = 2 * WORKERS
train_step = step_on(device_works(0.010))


def read(number):
    time.sleep(0.040)  # line: read
    return np.random.default_rng(number).standard_normal((BATCH, WIDTH), dtype=np.float32)


def train(steps, pool):
    weights = start()
    under_way = deque(pool.submit(read, number) for number in range(AHEAD))
    for step in steps:
        x = under_way.popleft().result()  # line: result
        under_way.append(pool.submit(read, AHEAD + step))
        weights, loss = train_step(weights, x)
        if step % 25 == 0:
            print(f"step {step} loss {loss:.4f}")
    jax.block_until_ready(weights)


clock = Clock()
with ThreadPoolExecutor(WORKERS) as pool:
    train(clock.steps(150), pool)
clock.report()
