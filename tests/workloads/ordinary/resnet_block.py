"""Residual blocks with batch statistics that are carried from step to step."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

CHANNELS, BLOCKS = 16, 3


def conv(x, w):
    return jax.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def norm(x, scale, running):
    mean, var = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    running = {"mean": 0.9 * running["mean"] + 0.1 * mean, "var": 0.9 * running["var"] + 0.1 * var}
    return scale * (x - mean) / jnp.sqrt(var + 1e-5), running


def forward(params, state, x):
    x = conv(x, params["stem"])
    new_state = []
    for block, old in zip(params["blocks"], state, strict=True):
        h, running = norm(conv(x, block["w1"]), block["scale"], old)
        x = x + conv(jax.nn.relu(h), block["w2"])
        new_state.append(running)
    return jnp.mean(x, (1, 2)) @ params["head"], new_state


def loss_fn(params, state, x, y):
    logits, state = forward(params, state, x)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(y)), y]), state


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, state, x, y):
    (loss, state), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, state, x, y)
    return jax.tree.map(lambda p, g: p - 0.05 * g, params, grads), state, loss


rng = np.random.default_rng(0)


def weight(*shape):
    return jnp.asarray(rng.normal(size=shape, scale=0.1), jnp.float32)


params = {
    "stem": weight(3, 3, 3, CHANNELS),
    "blocks": [
        {"w1": weight(3, 3, CHANNELS, CHANNELS), "w2": weight(3, 3, CHANNELS, CHANNELS), "scale": jnp.ones(CHANNELS)}
        for _ in range(BLOCKS)
    ],
    "head": weight(CHANNELS, 10),
}
state = [{"mean": jnp.zeros(CHANNELS), "var": jnp.ones(CHANNELS)} for _ in range(BLOCKS)]
images, labels = rng.random((512, 16, 16, 3), dtype=np.float32), rng.integers(0, 10, 512)
for epoch in range(4):
    for i in range(0, 512, 32):
        params, state, loss = train_step(params, state, images[i : i + 32], labels[i : i + 32])
    print(epoch, loss)
