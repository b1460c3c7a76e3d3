"""A mixture of experts: each row goes through the two experts that its gate prefers."""

import jax
import jax.numpy as jnp
import numpy as np

EXPERTS, DIM, HIDDEN = 8, 64, 128


def layer(params, x):
    gates = jax.nn.softmax(x @ params["gate"])
    best, chosen = jax.lax.top_k(gates, 2)
    every = jnp.einsum("bd,edh->beh", x, params["up"])
    every = jnp.einsum("beh,ehd->bed", jax.nn.relu(every), params["down"])
    picked = jnp.take_along_axis(every, chosen[..., None], axis=1)
    return jnp.sum(best[..., None] * picked, axis=1), gates


def loss_fn(params, x, y):
    out, gates = layer(params, x)
    balance = EXPERTS * jnp.sum(jnp.mean(gates, 0) ** 2)
    return jnp.mean((out - y) ** 2) + 0.01 * balance


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


rng = np.random.default_rng(0)
shapes = {"gate": (DIM, EXPERTS), "up": (EXPERTS, DIM, HIDDEN), "down": (EXPERTS, HIDDEN, DIM)}
params = {name: jnp.asarray(rng.normal(size=s) * 0.1, jnp.float32) for name, s in shapes.items()}
for step in range(100):
    x = rng.normal(size=(128, DIM)).astype(np.float32)
    params, loss = train_step(params, x, np.abs(x))
    if step % 20 == 0:
        print(step, loss)
