"""A variational autoencoder."""

import jax
import jax.numpy as jnp
import numpy as np

PIXELS, HIDDEN, LATENT = 784, 256, 16


def dense(key, n, m):
    return jax.random.normal(key, (n, m)) / jnp.sqrt(n)


def elbo(params, key, x):
    h = jax.nn.relu(x @ params["enc"])
    mean, log_var = h @ params["mean"], h @ params["var"]
    z = mean + jnp.exp(0.5 * log_var) * jax.random.normal(key, mean.shape)
    logits = jax.nn.relu(z @ params["dec"]) @ params["out"]
    reconstruction = jnp.sum(jnp.logaddexp(0.0, logits) - x * logits, axis=-1)
    divergence = -0.5 * jnp.sum(1 + log_var - mean**2 - jnp.exp(log_var), axis=-1)
    return jnp.mean(reconstruction + divergence)


@jax.jit
def train_step(params, key, x):
    loss, grads = jax.value_and_grad(elbo)(params, key, x)
    params = jax.tree.map(lambda p, g: p - 1e-4 * g, params, grads)
    return params, loss


key = jax.random.key(42)
key, *keys = jax.random.split(key, 6)
params = {
    "enc": dense(keys[0], PIXELS, HIDDEN),
    "mean": dense(keys[1], HIDDEN, LATENT),
    "var": dense(keys[2], HIDDEN, LATENT) * 0.01,
    "dec": dense(keys[3], LATENT, HIDDEN),
    "out": dense(keys[4], HIDDEN, PIXELS),
}
data = (np.random.default_rng(0).random((2048, PIXELS)) > 0.7).astype(np.float32)
total = 0.0
for step in range(120):
    key, sample = jax.random.split(key)
    x = data[step * 128 % 2048 :][:128]
    params, loss = train_step(params, sample, x)
    total += loss
print("mean loss", total / 120)
