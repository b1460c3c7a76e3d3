"""A denoiser of a diffusion model on points in a plane, with an average of its weights."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

LEVELS = 100
alphas = jnp.cumprod(1 - jnp.linspace(1e-4, 0.02, LEVELS))


def denoise(params, x, t):
    h = jnp.concatenate([x, t[:, None] / LEVELS], -1)
    for w, b in params[:-1]:
        h = jax.nn.silu(h @ w + b)
    w, b = params[-1]
    return h @ w + b


def loss_fn(params, x, key):
    key_t, key_noise = jax.random.split(key)
    t = jax.random.randint(key_t, (len(x),), 0, LEVELS)
    noise = jax.random.normal(key_noise, x.shape)
    a = alphas[t][:, None]
    return jnp.mean((denoise(params, jnp.sqrt(a) * x + jnp.sqrt(1 - a) * noise, t) - noise) ** 2)


@partial(jax.jit, donate_argnames=("params", "average"))
def train_step(params, average, x, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, key)
    params = jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
    average = jax.tree.map(lambda a, p: 0.99 * a + 0.01 * p, average, params)
    return params, average, loss


keys = jax.random.split(jax.random.key(0), 3)
sizes = [3, 256, 256, 2]
params = [(0.1 * jax.random.normal(k, (n, m)), jnp.zeros(m)) for k, n, m in zip(keys, sizes, sizes[1:], strict=False)]
average = jax.tree.map(jnp.copy, params)
rng = np.random.default_rng(0)
for step in range(120):
    angle = rng.uniform(0, 2 * np.pi, 512)
    x = np.stack([np.cos(angle), np.sin(angle)], -1).astype(np.float32)
    params, average, loss = train_step(params, average, x, jax.random.key(step))
    if step % 20 == 0:
        print(step, loss)
