"""An executor of two processes makes batches, three ahead, and is slower than the device: the loop waits for it."""

import multiprocessing
import time
from collections import deque
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import truth_clock

AHEAD = 3
BATCH, WIDTH = 192, 384
"""As the model has them, which the processes need not import."""


def decode(index):
    time.sleep(0.040)  # line: decode
    return np.full((BATCH, WIDTH), index % 7 / 7.0, np.float32)


def train(steps, pool):
    under_way = deque(pool.submit(decode, index) for index in range(AHEAD))
    from perceptron import start, train_step  # noqa: PLC0415 (not in the processes, which come up meanwhile)

    weights = start()
    for _ in steps:
        x = under_way.popleft().result()  # line: result
        under_way.append(pool.submit(decode, AHEAD))  # line: submit
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(train)
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        train(truth_clock.steps(300), pool)
