"""Three steps on all devices of two slices: the batch is divided among all, so that gradients cross from one to the
other."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

BATCH, FEATURES = 1024, 1024
mesh = Mesh(np.array(jax.devices()), ("data",))


def loss(weight, x):
    return jnp.mean((jnp.tanh(x @ weight) - x) ** 2)


@jax.jit
def train_step(weight, x):
    value, gradient = jax.value_and_grad(loss)(weight, x)
    return weight - 0.1 * gradient, value


weight = jax.device_put(np.ones((FEATURES, FEATURES), np.float32), NamedSharding(mesh, P()))
x = jax.device_put(np.ones((BATCH, FEATURES), np.float32), NamedSharding(mesh, P("data", None)))
for _ in range(3):
    weight, value = train_step(weight, x)
