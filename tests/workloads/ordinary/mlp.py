"""A perceptron of three layers on random digits, with momentum."""

import jax
import jax.numpy as jnp
import numpy as np

SIZES = [784, 512, 512, 10]


def init(key):
    keys = jax.random.split(key, len(SIZES) - 1)
    return [
        (jax.random.normal(k, (n, m)) * np.sqrt(2 / n), jnp.zeros(m))
        for k, n, m in zip(keys, SIZES[:-1], SIZES[1:], strict=True)
    ]


def predict(params, x):
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def loss_fn(params, x, y):
    logits = predict(params, x)
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, 10), axis=-1))


@jax.jit
def train_step(params, velocity, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, velocity, grads)
    params = jax.tree.map(lambda p, v: p - 0.01 * v, params, velocity)
    return params, velocity, loss


rng = np.random.default_rng(0)
images = rng.random((4096, 784), dtype=np.float32)
digits = rng.integers(0, 10, 4096)
params = init(jax.random.key(0))
velocity = jax.tree.map(jnp.zeros_like, params)
for step in range(150):
    rows = rng.integers(0, len(images), 128)
    params, velocity, loss = train_step(params, velocity, images[rows], digits[rows])
    if step % 25 == 0:
        print(step, float(loss))
