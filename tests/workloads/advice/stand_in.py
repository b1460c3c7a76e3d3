"""A training step on devices that have nothing to do with the host's cores: a callback that sleeps stands in for them.

Scripts here have one trouble each, and none of it with ``--repaired``. They say how long their steps take.
"""

import json
import os
import sys
import time

# A program of one device would call back on the thread that launches it, which then runs ahead of nothing.
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

MESH = jax.make_mesh((2,), ("data",))

REPAIRED = "--repaired" in sys.argv
WIDTH, BATCH = 64, 32


def device_works(seconds):
    """A callback that takes so long and hands on what it is given."""

    def work(value):
        time.sleep(seconds)
        return value

    def on_device(value):
        return jax.pure_callback(work, jax.ShapeDtypeStruct(value.shape, value.dtype), value)

    return on_device


def loss_of(weights, x):
    for weight in weights:
        x = jnp.tanh(x @ weight)
    return jnp.mean((x - 0.5) ** 2)


def start(layers=2):
    everywhere = NamedSharding(MESH, PartitionSpec())
    return [jax.device_put(jnp.eye(WIDTH) * 0.5, everywhere) for _ in range(layers)]


def step_on(device, **options):
    """A compiled step, whose loss is there when the device has worked."""

    def train_step(weights, x):
        loss, gradients = jax.value_and_grad(loss_of)(weights, x)
        loss = device(loss)
        # The next step needs what this one made when its work was done.
        weights = [weight - 0.01 * gradient + 0 * loss for weight, gradient in zip(weights, gradients, strict=True)]
        return weights, loss

    return jax.jit(train_step, **options)


def batches(generator):
    while True:
        yield generator.standard_normal((BATCH, WIDTH), dtype=np.float32)


class Clock:
    """Counts out steps, and says how long those in the middle took."""

    def __init__(self):
        self.times = []

    def steps(self, count):
        for step in range(count):
            self.times.append(time.perf_counter())
            yield step

    def report(self):
        # The first compile, and the capture lies early: what is left is undisturbed.
        settled = np.diff(self.times)[len(self.times) // 2 :]
        print(json.dumps({"median_step_s": float(np.median(settled)), "mean_step_s": float(np.mean(settled))}))
