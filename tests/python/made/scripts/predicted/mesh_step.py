"""Three steps on a mesh of four by two devices: the batch along one axis, the weights along the other."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

BATCH, FEATURES, HIDDEN = 512, 1024, 4096
mesh = Mesh(np.array(jax.devices()).reshape(4, 2), ("data", "model"))


def loss(weights, x):
    hidden = jnp.tanh(x @ weights["up"])
    y = hidden @ weights["down"]
    return jnp.mean((y - x) ** 2)


@jax.jit
def train_step(weights, x):
    value, gradients = jax.value_and_grad(loss)(weights, x)
    weights = jax.tree.map(lambda w, g: w - 0.1 * g, weights, gradients)
    whole = jax.lax.with_sharding_constraint(weights["down"], NamedSharding(mesh, P()))
    return weights, value, jnp.max(jnp.abs(whole))


weights = {
    "up": jax.device_put(np.ones((FEATURES, HIDDEN), np.float32), NamedSharding(mesh, P(None, "model"))),
    "down": jax.device_put(np.ones((HIDDEN, FEATURES), np.float32), NamedSharding(mesh, P("model", None))),
}
x = jax.device_put(np.ones((BATCH, FEATURES), np.float32), NamedSharding(mesh, P("data", None)))
for _ in range(3):
    weights, value, greatest = train_step(weights, x)
