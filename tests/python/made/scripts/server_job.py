"""A job that trains for ever and listens at the port of its argument; ``steps`` on its standard input asks how far."""

import sys
import threading
import time

import jax
import jax.numpy as jnp

done = 0


def answer():
    for _ in sys.stdin:
        print(done, flush=True)


@jax.jit
def before(x):
    return jnp.sin(x).sum()


@jax.jit
def step(weights, batch):
    def loss(weights):
        hidden = jnp.tanh(batch @ weights)
        return jnp.mean((hidden @ weights.T) ** 2)

    return weights - 0.01 * jax.grad(loss)(weights)


weights, batch = jnp.ones((64, 128)), jnp.ones((32, 64))
# It runs once, and long before any capture.
before(batch).block_until_ready()
step(weights, batch).block_until_ready()
jax.profiler.start_server(int(sys.argv[1]))
print("trains", flush=True)
threading.Thread(target=answer, daemon=True).start()
while True:
    with jax.profiler.StepTraceAnnotation("train", step_num=done):
        weights = step(weights, batch).block_until_ready()
    time.sleep(0.01)
    done += 1
