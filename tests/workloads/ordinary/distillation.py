"""A small network learns what a large one says."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np


def network(params, x):
    for w in params[:-1]:
        x = jax.nn.relu(x @ w)
    return x @ params[-1]


def init(seed, *sizes):
    rng = np.random.default_rng(seed)
    return [jnp.asarray(rng.normal(size=s) / np.sqrt(s[0]), jnp.float32) for s in itertools.pairwise(sizes)]


teacher, student = init(0, 128, 1024, 1024, 10), init(1, 128, 64, 10)


@jax.jit
def teach(x):
    return jax.nn.softmax(network(teacher, x) / 2.0)


@jax.jit
def train_step(student, x, soft):
    def loss_fn(student):
        return -jnp.mean(jnp.sum(soft * jax.nn.log_softmax(network(student, x) / 2.0), -1))

    loss, grads = jax.value_and_grad(loss_fn)(student)
    return [p - 0.05 * g for p, g in zip(student, grads, strict=True)], loss


rng = np.random.default_rng(2)
for step in range(100):
    x = rng.normal(size=(128, 128)).astype(np.float32)
    student, loss = train_step(student, x, teach(x))
    if step % 10 == 0:
        print(f"step {step} loss {loss:.4f}")
