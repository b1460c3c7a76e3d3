"""Word vectors by skip-grams with negative samples."""

import jax
import jax.numpy as jnp
import numpy as np

WORDS, DIM, NEGATIVES, BATCH = 5000, 64, 5, 512


@jax.jit
def train_step(vectors, contexts, centre, positive, negative):
    def loss_fn(vectors, contexts):
        c = vectors[centre]
        near = jnp.sum(c * contexts[positive], -1)
        far = jnp.einsum("bd,bnd->bn", c, contexts[negative])
        return -jnp.mean(jax.nn.log_sigmoid(near) + jnp.sum(jax.nn.log_sigmoid(-far), -1))

    loss, (gv, gc) = jax.value_and_grad(loss_fn, argnums=(0, 1))(vectors, contexts)
    return vectors - 0.5 * gv, contexts - 0.5 * gc, loss


rng = np.random.default_rng(0)
corpus = rng.zipf(1.5, 200_000) % WORDS
vectors = jnp.asarray(rng.normal(size=(WORDS, DIM)) * 0.1, jnp.float32)
contexts = jnp.zeros((WORDS, DIM))
for step in range(150):
    at = rng.integers(2, len(corpus) - 2, BATCH)
    positive = corpus[at + rng.choice([-2, -1, 1, 2], BATCH)]
    negative = rng.integers(0, WORDS, (BATCH, NEGATIVES))
    vectors, contexts, loss = train_step(vectors, contexts, corpus[at], positive, negative)
    if step % 50 == 0:
        print(step, loss)
