"""A small convolutional network that classifies images."""

import jax
import jax.numpy as jnp
import numpy as np


def conv(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def pool(x):
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def forward(params, x):
    x = pool(jax.nn.relu(conv(x, params["conv1"])))
    x = pool(jax.nn.relu(conv(x, params["conv2"])))
    x = x.reshape(len(x), -1)
    x = jax.nn.relu(x @ params["dense1"])
    return x @ params["dense2"]


def loss_fn(params, images, labels):
    logits = jax.nn.log_softmax(forward(params, images))
    return -jnp.mean(jnp.take_along_axis(logits, labels[:, None], axis=1))


@jax.jit
def train_step(params, images, labels):
    loss, grads = jax.value_and_grad(loss_fn)(params, images, labels)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


keys = jax.random.split(jax.random.key(1), 4)
shapes = {"conv1": (3, 3, 1, 16), "conv2": (3, 3, 16, 32), "dense1": (7 * 7 * 32, 64), "dense2": (64, 10)}
params = {name: 0.05 * jax.random.normal(k, s) for k, (name, s) in zip(keys, shapes.items(), strict=True)}
rng = np.random.default_rng(0)
for step in range(60):
    images = rng.random((32, 28, 28, 1), dtype=np.float32)
    labels = rng.integers(0, 10, 32)
    params, loss = train_step(params, images, labels)
    if step % 10 == 0:
        print(f"step {step:4d}  loss {loss:.4f}")
