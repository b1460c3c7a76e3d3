"""A pipeline of tf.data that maps and reads ahead, and is slower than the device."""

import tensorflow as tf
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step


def example(index):
    drawn = tf.random.stateless_uniform((15_000,), (index, 0))
    return tf.reshape(tf.tile(tf.sort(drawn)[: WIDTH // 8], [BATCH]), (BATCH // 8, WIDTH))


def train(steps):
    dataset = tf.data.Dataset.range(1_000_000).map(example, num_parallel_calls=1).batch(8).prefetch(2)
    batches = dataset.as_numpy_iterator()
    weights = start()
    for _ in steps:
        x = next(batches)  # line: next
        x = x.reshape(BATCH, WIDTH)
        weights, loss = train_step(weights, x, x)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(train)
    train(truth_clock.steps(300))
