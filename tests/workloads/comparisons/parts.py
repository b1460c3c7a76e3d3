"""Four parts of a step that are compiled apart, each of some 15 ms; the second has ROWS rows.

What they keep is small: of large arrays the memory that one part frees is another's, so that more rows in one would
change the time of all.
"""

import jax
import jax.numpy as jnp

WIDTH = 256
PASSES = 40
ROWS = 250


@jax.jit
def narrow(rows):
    for _ in range(PASSES):
        rows = jnp.tanh(rows @ weights)
    return rows


@jax.jit
def wide(rows):
    for _ in range(PASSES):
        rows = jnp.sin(rows @ weights)
    return rows


@jax.jit
def doubled(rows):
    for _ in range(PASSES):
        rows = rows @ weights * 2 - 1
    return rows


@jax.jit
def mean(rows):
    for _ in range(PASSES):
        rows = jnp.abs(rows @ weights)
    return rows


weights = jnp.eye(WIDTH) / 2
rows = jnp.ones((ROWS, WIDTH))
others = jnp.ones((250, WIDTH))
# It is ended when its window is on disk.
for step in range(100_000):
    with jax.profiler.StepTraceAnnotation("step", step_num=step):
        narrow(others).block_until_ready()
        wide(rows).block_until_ready()
        doubled(others).block_until_ready()
        mean(others).block_until_ready()
