"""The other file of the fusion in two_files.py."""

import jax.numpy as jnp


def costly(x):
    return jnp.sin(jnp.sin(jnp.sin(x)))  # line: sines
