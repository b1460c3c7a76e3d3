"""A generator and a discriminator, each with a step of its own."""

import jax
import jax.numpy as jnp
import numpy as np

NOISE, HIDDEN, DATA = 16, 128, 32


def mlp(params, x):
    for w, b in params[:-1]:
        x = jax.nn.leaky_relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def init(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [(0.1 * jax.random.normal(k, (n, m)), jnp.zeros(m)) for k, n, m in zip(keys, sizes, sizes[1:], strict=False)]


def loss_d(disc, gen, real, noise):
    fake = mlp(gen, noise)
    return jnp.mean(jax.nn.softplus(-mlp(disc, real))) + jnp.mean(jax.nn.softplus(mlp(disc, fake)))


def loss_g(gen, disc, noise):
    return jnp.mean(jax.nn.softplus(-mlp(disc, mlp(gen, noise))))


def sgd(params, grads):
    return jax.tree.map(lambda p, g: p - 0.02 * g, params, grads)


@jax.jit
def step_d(disc, gen, real, key):
    noise = jax.random.normal(key, (len(real), NOISE))
    loss, grads = jax.value_and_grad(loss_d)(disc, gen, real, noise)
    return sgd(disc, grads), loss


@jax.jit
def step_g(gen, disc, key):
    noise = jax.random.normal(key, (128, NOISE))
    loss, grads = jax.value_and_grad(loss_g)(gen, disc, noise)
    return sgd(gen, grads), loss


key = jax.random.key(0)
gen, disc = init(key, [NOISE, HIDDEN, HIDDEN, DATA]), init(key, [DATA, HIDDEN, HIDDEN, 1])
rng = np.random.default_rng(0)
for i in range(150):
    real = rng.normal(2.0, 0.5, (128, DATA)).astype(np.float32)
    key, key_d, key_g = jax.random.split(key, 3)
    disc, d = step_d(disc, gen, real, key_d)
    gen, g = step_g(gen, disc, key_g)
    if i % 30 == 0:
        print(f"{i}: d={d:.3f} g={g:.3f}")
