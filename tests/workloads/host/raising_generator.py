"""A loader whose generator raises now and then, and a decoder that does: both are caught, and the loader goes on."""

import time

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

READS_UNTIL_LOST = 5
CORRUPT_EVERY = 4


class CorruptError(Exception):
    """What a decoder says of a record."""


def read(first):
    """Records from a connection, which is lost after some."""
    for number in range(first, first + READS_UNTIL_LOST):
        time.sleep(0.004)  # line: read
        yield number
    raise ConnectionError


def decode(number, x):
    time.sleep(0.002)  # line: parse
    if number % CORRUPT_EVERY == 0:
        raise CorruptError
    time.sleep(0.0015)  # line: decode
    return x * np.float32(0.5)


def batches(steps):
    x = np.random.default_rng(0).standard_normal((BATCH, WIDTH), dtype=np.float32)
    number = 0
    records = read(number)
    for _ in steps:
        try:
            number = next(records)  # line: next
        except ConnectionError:
            records = read(number + 1)
            number = next(records)  # line: again
        try:
            batch = decode(number, x)  # line: decodes
        except CorruptError:
            batch = x
        yield batch


def train(steps):
    weights = start()
    for x in batches(steps):
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(read, decode, batches, train)
    train(truth_clock.steps(400))
