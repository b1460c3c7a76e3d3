"""A thread reads ahead into a queue, and is slower than the device: 9 ms to decode, 11 ms to augment."""

import queue
import threading
import time

import numpy as np
import truth_clock
from perceptron import WIDTH, start, train_step

CAPACITY = 4
BATCH = 48
"""Few, so that the device waits for most of the time that the reader takes."""


def decode(generator):
    time.sleep(0.0088)  # line: decode
    return generator.integers(0, 255, (BATCH, WIDTH), dtype=np.uint8)


def augment(pixels):
    time.sleep(0.0107)  # line: augment
    return (pixels[:, ::-1] / 255.0).astype(np.float32)


def read_ahead(ready, enough):
    generator = np.random.default_rng(0)
    while not enough.is_set():
        pixels = decode(generator)  # line: decodes
        x = augment(pixels)  # line: augments
        ready.put(x)  # line: puts


def train(steps, ready):
    weights = start()
    for _ in steps:
        x = ready.get()  # line: get
        weights, loss = train_step(weights, x, x)  # line: step
    print(f"loss {loss:.4f}")


def main():
    ready, enough = queue.Queue(CAPACITY), threading.Event()
    reader = threading.Thread(target=read_ahead, args=(ready, enough), name="reader")
    reader.start()
    train(truth_clock.steps(300), ready)
    enough.set()
    # It may be waiting for room.
    ready.get()
    reader.join()


if __name__ == "__main__":
    truth_clock.watch(decode, augment, read_ahead, train)
    main()
