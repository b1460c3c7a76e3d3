"""Four parts of a step that are compiled apart, each of some 10 ms; the second has LONG passes, the others 40.

A pass is as long in all of them. More rows would not be: with their number changes how threads share them, and of large
arrays the memory that one part frees is another's.
"""

import jax
import jax.numpy as jnp

WIDTH = 256
PASSES = 40
LONG = 40


@jax.jit
def narrow(rows):
    for _ in range(PASSES):
        rows = jnp.tanh(rows @ weights)
    return rows


@jax.jit
def long(rows):
    for _ in range(LONG):
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
rows = jnp.ones((250, WIDTH))
# It is ended when its window is on disk.
for step in range(100_000):
    with jax.profiler.StepTraceAnnotation("step", step_num=step):
        narrow(rows).block_until_ready()
        long(rows).block_until_ready()
        doubled(rows).block_until_ready()
        mean(rows).block_until_ready()
