"""Epochs of training with an evaluation of the held-out data between them."""

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
train_x, test_x = rng.normal(size=(4096, 64)).astype(np.float32), rng.normal(size=(1024, 64)).astype(np.float32)
teacher = rng.normal(size=(64, 5))
train_y, test_y = (train_x @ teacher).argmax(-1), (test_x @ teacher).argmax(-1)


def logits_of(params, x):
    return jax.nn.relu(x @ params["hidden"]) @ params["out"]


@jax.jit
def train_step(params, x, y):
    def loss(params):
        return -jnp.mean(jax.nn.log_softmax(logits_of(params, x))[jnp.arange(len(y)), y])

    grads = jax.grad(loss)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


@jax.jit
def eval_step(params, x, y):
    return jnp.sum(logits_of(params, x).argmax(-1) == y)


params = {
    "hidden": jnp.asarray(rng.normal(size=(64, 256)) * 0.1, jnp.float32),
    "out": jnp.asarray(rng.normal(size=(256, 5)) * 0.1, jnp.float32),
}
for epoch in range(5):
    for i in range(0, 4096, 128):
        params = train_step(params, train_x[i : i + 128], train_y[i : i + 128])
    correct = sum(int(eval_step(params, test_x[i : i + 128], test_y[i : i + 128])) for i in range(0, 1024, 128))
    print(f"epoch {epoch} accuracy {correct / 1024:.3f}")
