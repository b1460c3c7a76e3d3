"""A contrastive loss between two noisy views of the same rows."""

import jax
import jax.numpy as jnp
import numpy as np


def embed(params, x):
    z = jax.nn.relu(x @ params["w1"]) @ params["w2"]
    return z / jnp.linalg.norm(z, axis=-1, keepdims=True)


def loss_fn(params, x, key):
    one, two = jax.random.split(key)
    a = embed(params, x + 0.1 * jax.random.normal(one, x.shape))
    b = embed(params, x + 0.1 * jax.random.normal(two, x.shape))
    scores = a @ b.T / 0.1
    return -jnp.mean(jnp.diag(jax.nn.log_softmax(scores)) + jnp.diag(jax.nn.log_softmax(scores.T)))


@jax.jit
def train_step(params, x, key):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, key)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), loss


rng = np.random.default_rng(0)
rows = rng.normal(size=(4096, 128)).astype(np.float32)
params = {
    "w1": jnp.asarray(rng.normal(size=(128, 256)) * 0.1, jnp.float32),
    "w2": jnp.asarray(rng.normal(size=(256, 64)) * 0.1, jnp.float32),
}
key = jax.random.key(0)
history = []
for step in range(100):
    x = rows[rng.choice(len(rows), 256, replace=False)]
    params, loss = train_step(params, x, jax.random.fold_in(key, step))
    history.append(float(loss))
print(f"first {history[0]:.3f} last {history[-1]:.3f}")
