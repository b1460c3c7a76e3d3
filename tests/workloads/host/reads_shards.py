"""A generator reads a file of eight batches at once: each eighth step waits for 120 ms, the others for nothing."""

import time

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

BATCHES = 8


def read(generator):
    time.sleep(0.12)  # line: read
    return generator.random((BATCHES, BATCH, WIDTH), dtype=np.float32)  # line: draw


def batches(generator):
    while True:
        shard = read(generator)  # line: reads
        yield from shard


def train(steps, loader):
    weights = start()
    for _ in steps:
        x = next(loader)  # line: next
        weights, loss = train_step(weights, x, x)  # line: step
        loss = float(loss)  # line: float
    print(f"loss {loss:.4f}")


if __name__ == "__main__":
    truth_clock.watch(read, batches, train)
    train(truth_clock.steps(400), batches(np.random.default_rng(0)))
