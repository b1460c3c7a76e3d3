"""An executor of two threads makes batches, three ahead, and is slower than the device; the loop waits for futures."""

import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

AHEAD = 3


def decode(index):
    time.sleep(0.030)  # line: decode
    return np.full((BATCH, WIDTH), index % 7 / 7.0, np.float32)


def train(steps, pool):
    weights = start()
    under_way = deque(pool.submit(decode, index) for index in range(AHEAD))
    for _ in steps:
        x = under_way.popleft().result()  # line: result
        under_way.append(pool.submit(decode, AHEAD))  # line: submit
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(decode, train)
    with ThreadPoolExecutor(2, thread_name_prefix="decoder") as pool:
        train(truth_clock.steps(300), pool)
