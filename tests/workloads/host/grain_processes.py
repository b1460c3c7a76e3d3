"""A pipeline of grain with two processes, whose map takes longer than the device."""

import time

import grain
import numpy as np
import truth_clock
from absl import flags

EXAMPLES = 8
BATCH, WIDTH = 192, 384
"""As the model has them, which the processes need not import."""


class Decode(grain.transforms.Map):
    """Makes one example, in 5 ms."""

    def map(self, index):
        time.sleep(0.005)  # line: map
        return np.full((BATCH // EXAMPLES, WIDTH), index % 7 / 7.0, np.float32)


def train(steps):
    from perceptron import start, train_step  # noqa: PLC0415 (not in the processes)

    dataset = grain.MapDataset.range(1_000_000).map(Decode()).batch(EXAMPLES)
    dataset = dataset.to_iter_dataset(grain.ReadOptions(num_threads=1, prefetch_buffer_size=1))
    options = grain.MultiprocessingOptions(num_workers=2, per_worker_buffer_size=2)
    batches = iter(dataset.mp_prefetch(options))
    weights = start()
    for _ in steps:
        x = next(batches)  # line: next
        x = x.reshape(BATCH, WIDTH)
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait
    batches.close()


if __name__ == "__main__":
    # grain looks at flags of the command line, which absl's own applications have read.
    flags.FLAGS.mark_as_parsed()
    truth_clock.watch(train)
    train(truth_clock.steps(300))
