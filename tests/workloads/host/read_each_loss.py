"""Reads the loss of every step and logs it, so that the device waits for the log and then for the loader."""

import tempfile
import time

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step


def load(stored):
    time.sleep(0.004)  # line: load
    return stored


def log(file, step, loss):
    file.write(f"step {step} loss {loss:.6f}\n")
    file.flush()
    time.sleep(0.003)  # line: log


def train(steps):
    stored = np.random.default_rng(0).standard_normal((BATCH, WIDTH), dtype=np.float32)
    weights = start()
    with tempfile.TemporaryFile("w") as file:
        for step, _ in enumerate(steps):
            x = load(stored)  # line: loads
            weights, loss = train_step(weights, x, x)  # line: step
            value = float(loss)  # line: read
            log(file, step, value)  # line: logs


if __name__ == "__main__":
    truth_clock.watch(load, log, train)
    train(truth_clock.steps(400))
