"""torch's DataLoader without workers: the thread that launches the steps makes each batch itself."""

import time

import numpy as np
import torch
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step
from torch.utils.data import DataLoader, Dataset

EXAMPLES = 8


class Slow(Dataset):
    """Examples that take 2.5 ms each to make."""

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        time.sleep(0.0025)  # line: make
        return torch.full((BATCH // EXAMPLES, WIDTH), index % 7 / 7.0)  # line: fill


def stack(examples):
    time.sleep(0.002)  # line: stack
    return torch.stack(examples)  # line: join


def train(steps):
    batches = iter(DataLoader(Slow(), batch_size=EXAMPLES, collate_fn=stack))
    weights = start()
    for _ in steps:
        x = next(batches)  # line: next
        x = np.asarray(x).reshape(BATCH, WIDTH)
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(Slow.__getitem__, stack, train)
    train(truth_clock.steps(200))
