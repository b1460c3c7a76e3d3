"""An autoencoder of one hidden layer, trained on batches that are on the device already."""

import jax
import jax.numpy as jnp

key = jax.random.key(0)
data = jax.random.uniform(key, (64, 128, 400))
params = {
    "encode": jax.random.normal(key, (400, 64)) * 0.05,
    "decode": jax.random.normal(key, (64, 400)) * 0.05,
}


def loss_fn(params, x):
    code = jnp.tanh(x @ params["encode"])
    return jnp.mean(jnp.square(code @ params["decode"] - x))


@jax.jit
def update(params, x):
    loss, grads = jax.value_and_grad(loss_fn)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


for epoch in range(3):
    for x in data:
        params, loss = update(params, x)
    print(epoch, loss)
