"""One layer of attention that learns to copy, with vmap over heads and batch."""

import jax
import jax.numpy as jnp

LENGTH, DIM, HEADS = 64, 64, 4


def head(wq, wk, wv, x):
    scores = (x @ wq) @ (x @ wk).T / jnp.sqrt(wq.shape[-1])
    return jax.nn.softmax(scores, axis=-1) @ (x @ wv)


def model(params, x):
    heads = jax.vmap(head, in_axes=(0, 0, 0, None))(params["q"], params["k"], params["v"], x)
    return heads.transpose(1, 0, 2).reshape(len(x), -1) @ params["o"]


@jax.jit
def step_fn(params, key):
    x = jax.random.normal(key, (16, LENGTH, DIM))
    target = jnp.roll(x, 1, axis=1)

    def loss_fn(params):
        return jnp.mean((jax.vmap(model, in_axes=(None, 0))(params, x) - target) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(params)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss


keys = jax.random.split(jax.random.key(0), 4)
size = DIM // HEADS
params = {name: 0.1 * jax.random.normal(k, (HEADS, DIM, size)) for name, k in zip("qkv", keys[:3], strict=True)}
params["o"] = 0.1 * jax.random.normal(keys[3], (DIM, DIM))
for i, key in enumerate(jax.random.split(jax.random.key(1), 100)):
    params, loss = step_fn(params, key)
    if i % 10 == 0:
        print(i, loss)
