"""Four parts of a step that are compiled apart, each of 10 to 20 ms on two cores; the second has ROWS rows."""

import jax
import jax.numpy as jnp

SIZE = 1000
ROWS = 1000


@jax.jit
def narrow(x):
    return jnp.tanh(x @ x).sum(axis=0)


@jax.jit
def wide(x, rows):
    return jnp.sin(rows @ x)


@jax.jit
def doubled(x):
    return (x @ x) * 2


@jax.jit
def mean(x):
    return jnp.abs(x @ x.T).mean()


x = jnp.ones((SIZE, SIZE)) / SIZE
rows = jnp.ones((ROWS, SIZE)) / SIZE
# It is ended when its window is on disk.
for step in range(100_000):
    with jax.profiler.StepTraceAnnotation("step", step_num=step):
        narrow(x).block_until_ready()
        wide(x, rows).block_until_ready()
        doubled(x).block_until_ready()
        mean(x).block_until_ready()
