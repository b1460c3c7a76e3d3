"""A thread loads batches into a queue ahead of the steps."""

import queue
import threading

import jax
import jax.numpy as jnp
import numpy as np

STEPS, BATCH = 150, 256


def loader(out):
    rng = np.random.default_rng(0)
    images = rng.integers(0, 255, (2000, 784), dtype=np.uint8)
    labels = rng.integers(0, 10, 2000)
    for _ in range(STEPS):
        rows = rng.integers(0, 2000, BATCH)
        out.put((images[rows].astype(np.float32) / 255, labels[rows]))
    out.put(None)


@jax.jit
def train_step(params, x, y):
    def loss_fn(params):
        h = jax.nn.relu(x @ params[0])
        h = jax.nn.relu(h @ params[1])
        return -jnp.mean(jax.nn.log_softmax(h @ params[2])[jnp.arange(BATCH), y])

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return [p - 0.05 * g for p, g in zip(params, grads, strict=True)], loss


batches = queue.Queue(8)
threading.Thread(target=loader, args=(batches,), daemon=True).start()
keys = jax.random.split(jax.random.key(0), 3)
params = [0.05 * jax.random.normal(k, s) for k, s in zip(keys, ((784, 512), (512, 512), (512, 10)), strict=True)]
step = 0
while (batch := batches.get()) is not None:
    params, loss = train_step(params, *batch)
    step += 1
    if step % 25 == 0:
        print(step, loss)
