"""Dropout, whose key is split in the loop."""

import jax
import jax.numpy as jnp
import numpy as np

RATE = 0.5


def forward(params, x, key):
    for i, w in enumerate(params[:-1]):
        x = jax.nn.relu(x @ w)
        keep = jax.random.bernoulli(jax.random.fold_in(key, i), 1 - RATE, x.shape)
        x = jnp.where(keep, x / (1 - RATE), 0)
    return x @ params[-1]


@jax.jit
def train_step(params, x, y, key):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((forward(p, x, key) - y) ** 2))(params)
    return [p - 0.01 * g for p, g in zip(params, grads, strict=True)], loss


rng = np.random.default_rng(0)
params = [jnp.asarray(rng.normal(size=s, scale=0.1), jnp.float32) for s in ((64, 256), (256, 256), (256, 1))]
x = rng.normal(size=(256, 64)).astype(np.float32)
y = x[:, :1]
key = jax.random.PRNGKey(0)
for step in range(200):
    key, subkey = jax.random.split(key)
    params, loss = train_step(params, x, y, subkey)
    if step % 40 == 0:
        print(step, loss)
