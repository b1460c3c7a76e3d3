"""Two processes keep a queue full of large arrays, which the loop copies out of it, and waits for that."""

import multiprocessing
import time

import numpy as np
import truth_clock

CAPACITY = 4
BATCH, WIDTH = 192, 384
"""As the model has them, which the processes need not import."""
COPIES = 24
"""Of a batch in each item, 7 MB of them: to copy it takes longer than a step."""


def fill(ready):
    item = np.ones((COPIES, BATCH, WIDTH), np.float32)
    while True:
        ready.put(item)


def train(steps, ready):
    from perceptron import start, train_step  # noqa: PLC0415 (not in the processes, which come up meanwhile)

    weights = start()
    for _ in steps:
        item = ready.get()  # line: get
        x = item[0]  # line: part
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait
        # Longer than it takes to fill the queue again.
        time.sleep(0.03)  # line: rest


if __name__ == "__main__":
    truth_clock.watch(train)
    spawn = multiprocessing.get_context("spawn")
    ready = spawn.Queue(CAPACITY)
    processes = [spawn.Process(target=fill, args=(ready,), daemon=True) for _ in range(2)]
    for each in processes:
        each.start()
    train(truth_clock.steps(300), ready)
    for each in processes:
        each.kill()
