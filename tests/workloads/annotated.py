"""Steps marked by an annotation whose name is not the customary one; logging makes programs of its own."""

import jax
import jax.numpy as jnp
from ground_truth import StepClock


@jax.jit
def improved(weight, x):
    return weight - 0.001 * (x.T @ (x @ weight))  # line: products


weight = jnp.eye(640)  # line: arrays
x = jax.random.normal(jax.random.key(0), (640, 640)) * 0.01  # line: arrays
clock = StepClock()
for step in range(60):
    with clock.step(), jax.profiler.StepTraceAnnotation("optimize", step_num=step):
        weight = improved(weight, x)
        weight = improved(weight, x)
        weight.block_until_ready()
        if step % 7 == 0:
            jnp.linalg.norm(weight).block_until_ready()  # line: norm
clock.report()
