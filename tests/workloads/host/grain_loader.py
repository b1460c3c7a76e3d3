"""A pipeline of grain with two threads, whose map takes longer than the device."""

import time

import grain
import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step

EXAMPLES = 8


class Decode(grain.transforms.Map):
    """Makes one example, in 2.5 ms."""

    def map(self, index):
        time.sleep(0.0025)  # line: map
        return np.full((BATCH // EXAMPLES, WIDTH), index % 7 / 7.0, np.float32)


def train(steps):
    dataset = grain.MapDataset.range(1_000_000).map(Decode()).batch(EXAMPLES)
    batches = iter(dataset.to_iter_dataset(grain.ReadOptions(num_threads=2, prefetch_buffer_size=4)))
    weights = start()
    for _ in steps:
        x = next(batches)  # line: next
        x = x.reshape(BATCH, WIDTH)
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(Decode.map, train)
    train(truth_clock.steps(300))
