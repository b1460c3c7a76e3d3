"""Weights divided over two devices, as a large model has them."""

import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=2"

import jax
import jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

mesh = Mesh(jax.devices(), ("model",))
key = jax.random.key(0)
shardings = {"up": NamedSharding(mesh, P(None, "model")), "down": NamedSharding(mesh, P("model", None))}


@jax.jit
def init(key):
    up, down = jax.random.split(key)
    return {"up": 0.05 * jax.random.normal(up, (256, 1024)), "down": 0.05 * jax.random.normal(down, (1024, 256))}


def loss_fn(params, x):
    return jnp.mean((jax.nn.gelu(x @ params["up"]) @ params["down"] - x) ** 2)


@jax.jit(donate_argnums=0, out_shardings=(shardings, None))
def train_step(params, x):
    loss, grads = jax.value_and_grad(loss_fn)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


params = jax.device_put(init(key), shardings)
x = jax.device_put(jax.random.normal(key, (128, 256)), NamedSharding(mesh, P()))
for step in range(100):
    params, loss = train_step(params, x)
    if step % 10 == 0:
        print(step, float(loss))
