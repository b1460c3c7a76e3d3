"""Adam with weight decay, in plain jax."""

import jax
import jax.numpy as jnp


def initial_state(parameters):
    """First and second moments, like the parameters and zero, and the number of updates made."""
    return {
        "mean": jax.tree.map(jnp.zeros_like, parameters),
        "square": jax.tree.map(jnp.zeros_like, parameters),
        "count": jnp.zeros((), jnp.int32),
    }


def adam_update(parameters, gradients, state, rate=1e-3, decay=1e-4):
    """The parameters after one step along the gradients, and the new state."""
    count = state["count"] + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradients)
    square = jax.tree.map(lambda s, g: 0.999 * s + 0.001 * g * g, state["square"], gradients)
    scale = jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)

    def updated(parameter, m, s):
        step = scale * m / (jnp.sqrt(s) + 1e-8)
        return parameter - rate * (step + decay * parameter)

    parameters = jax.tree.map(updated, parameters, mean, square)
    return parameters, {"mean": mean, "square": square, "count": count}
