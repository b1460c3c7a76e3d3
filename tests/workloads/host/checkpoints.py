"""Writes a checkpoint every fifth step, while the device waits."""

import tempfile
import time
from pathlib import Path

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

CHECKPOINT_EVERY = 5


def save(file, weights, moments):
    arrays = [np.asarray(weight) for weight in weights]  # line: gather
    np.savez(file, *arrays, *moments)  # line: save


def train(steps, folder):
    generator = np.random.default_rng(0)
    weights = start()
    moments = [np.ones((1024, WIDTH), np.float32) for _ in range(12)]
    for step, _ in enumerate(steps):
        time.sleep(0.001)  # line: load
        x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)  # line: draw
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait
        if step % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1:
            save(folder / "checkpoint.npz", weights, moments)  # line: saves


if __name__ == "__main__":
    truth_clock.watch(save, train)
    with tempfile.TemporaryDirectory() as folder:
        train(truth_clock.steps(400), Path(folder))
