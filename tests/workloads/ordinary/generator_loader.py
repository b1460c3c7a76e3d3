"""A generator shuffles and augments images in the loop itself."""

import jax
import jax.numpy as jnp
import numpy as np

BATCH = 64


def batches(images, labels, epochs):
    rng = np.random.default_rng(0)
    for _ in range(epochs):
        order = rng.permutation(len(images))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            x = images[rows].astype(np.float32) / 255
            flipped = rng.random(len(x)) < 0.5
            x[flipped] = x[flipped, :, ::-1]
            yield x.reshape(len(x), -1), labels[rows]


@jax.jit
def train_step(params, x, y):
    def loss_fn(params):
        logits = jax.nn.relu(x @ params["w1"]) @ params["w2"]
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(y)), y])

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


rng = np.random.default_rng(1)
images, labels = rng.integers(0, 255, (2048, 32, 32, 3), dtype=np.uint8), rng.integers(0, 10, 2048)
params = {"w1": 0.02 * jax.random.normal(jax.random.key(0), (3072, 256)), "w2": jnp.zeros((256, 10))}
for step, (x, y) in enumerate(batches(images, labels, epochs=3)):
    params, loss = train_step(params, x, y)
    if step % 16 == 0:
        print(step, loss)
