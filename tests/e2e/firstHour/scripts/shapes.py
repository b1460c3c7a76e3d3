"""Train on sequences of ever other lengths: each step is another program, and none repeats."""

import jax
import jax.numpy as jnp

STEPS = 200
WIDTH = 64


@jax.jit
def train_step(weights, tokens):
    def loss_of(weights):
        hidden = jnp.tanh(tokens @ weights)
        scores = jax.nn.softmax(hidden @ hidden.T)
        return jnp.mean((scores @ hidden - tokens) ** 2)

    loss, gradient = jax.value_and_grad(loss_of)(weights)
    return weights - 0.1 * gradient, loss


def main():
    weights = jax.random.normal(jax.random.key(0), (WIDTH, WIDTH))
    for step in range(STEPS):
        tokens = jnp.ones((32 + 3 * step, WIDTH))
        weights, loss = train_step(weights, tokens)
        print(f"step {step} length {tokens.shape[0]} loss {float(loss):.4f}", flush=True)


if __name__ == "__main__":
    main()
