"""Logistic regression with shuffled batches and an accuracy after each epoch."""

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
features = rng.normal(size=(8192, 100)).astype(np.float32)
labels = (features @ rng.normal(size=100) > 0).astype(np.float32)
BATCH = 256


def loss_fn(params, x, y):
    logits = x @ params["w"] + params["b"]
    return jnp.mean(jnp.logaddexp(0, logits) - y * logits)


@jax.jit
def step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss


@jax.jit
def accuracy(params, x, y):
    return jnp.mean((x @ params["w"] + params["b"] > 0) == y)


params = {"w": jnp.zeros(100), "b": jnp.zeros(())}
for epoch in range(4):
    order = rng.permutation(len(features))
    for start in range(0, len(order), BATCH):
        rows = order[start : start + BATCH]
        params, loss = step(params, features[rows], labels[rows])
    print(f"epoch {epoch}: accuracy {accuracy(params, features, labels):.3f}")
