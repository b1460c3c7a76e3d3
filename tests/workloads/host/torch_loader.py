"""torch's DataLoader with two workers, whose dataset takes longer than the device."""

import time

import numpy as np
import torch
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step
from torch.utils.data import DataLoader, Dataset

EXAMPLES = 8


class Slow(Dataset):
    """Examples that take 5 ms each to make."""

    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        time.sleep(0.005)  # line: make
        return torch.full((BATCH // EXAMPLES, WIDTH), index % 7 / 7.0)


def train(steps):
    loader = DataLoader(Slow(), batch_size=EXAMPLES, num_workers=2)
    batches = iter(loader)
    weights = start()
    for _ in steps:
        x = next(batches)  # line: next
        x = np.asarray(x).reshape(BATCH, WIDTH)
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(train)
    train(truth_clock.steps(200))
