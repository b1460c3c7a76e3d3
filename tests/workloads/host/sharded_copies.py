"""Puts 32 MiB on two devices of the CPU in every step, waits for them, and reads the result back."""

import os

os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=2"

import jax
import numpy as np
import truth_clock
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P


@jax.jit
def step(x):
    return x * 2.0


def run(steps):
    over_devices = NamedSharding(Mesh(jax.devices(), ("devices",)), P("devices"))
    x = np.ones((2048, 4096), np.float32)
    for _ in steps:
        on_devices = jax.device_put(x, over_devices)  # line: put
        on_devices.block_until_ready()  # line: arrived
        y = jax.device_get(step(on_devices))  # line: read
    print(f"{y[0, 0]:.1f}")


if __name__ == "__main__":
    run(truth_clock.steps(100))
