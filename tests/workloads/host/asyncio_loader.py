"""A task reads ahead into a queue that the loop of the steps awaits, on the one thread that both have, and is slower
than the device: it waits 12 ms for a file, and augments for 4 ms, in which nothing else of the thread goes on."""

import asyncio
import time

import numpy as np
import truth_clock
from perceptron import WIDTH, start, train_step

CAPACITY = 3
BATCH = 48
"""Few, so that the device waits for most of the time that the reader takes."""


async def read(generator):
    await asyncio.sleep(0.0118)  # line: read
    return generator.integers(0, 255, (BATCH, WIDTH), dtype=np.uint8)


def augment(pixels):
    time.sleep(0.004)  # line: augment
    return (pixels[:, ::-1] / 255.0).astype(np.float32)


async def read_ahead(ready):
    generator = np.random.default_rng(0)
    while True:
        pixels = await read(generator)  # line: reads
        x = augment(pixels)  # line: augments
        await ready.put(x)  # line: puts


async def train(steps, ready):
    weights = start()
    for _ in steps:
        x = await ready.get()  # line: get
        weights, loss = train_step(weights, x, x)  # line: step
        value = float(loss)  # line: sync
    print(f"loss {value:.4f}")


async def main():
    ready = asyncio.Queue(CAPACITY)
    reader = asyncio.create_task(read_ahead(ready), name="reader")
    await train(truth_clock.steps(300), ready)
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)


if __name__ == "__main__":
    truth_clock.watch(train)
    asyncio.run(main())
