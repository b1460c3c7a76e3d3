"""Computes in bfloat16 and keeps the weights in float32."""

import jax
import jax.numpy as jnp
import numpy as np


def cast(tree, dtype):
    return jax.tree.map(lambda a: a.astype(dtype), tree)


def loss_fn(params, x, y):
    half = cast(params, jnp.bfloat16)
    x = x.astype(jnp.bfloat16)
    for w in half["layers"]:
        x = jax.nn.relu(x @ w)
    return jnp.mean((x.astype(jnp.float32) @ params["head"] - y) ** 2)


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss


rng = np.random.default_rng(0)
params = {
    "layers": [jnp.asarray(rng.normal(size=(256, 256)) * 0.08, jnp.float32) for _ in range(3)],
    "head": jnp.zeros((256, 1)),
}
x = rng.normal(size=(128, 256)).astype(np.float32)
for step in range(80):
    params, loss = train_step(params, x, x[:, :1])
    if step % 10 == 0:
        print(step, f"{loss:.4f}")
