"""A loop in the script itself, whose lines prepare data and do other things as well; the step is traced in it."""

import time

import jax
import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, loss_of, start

X = np.random.default_rng(0).standard_normal((BATCH, WIDTH), dtype=np.float32)


def augment(x):
    time.sleep(0.008)  # line: augment
    return x


def log():
    time.sleep(0.004)  # line: log


def update(weights, x):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, x)
    return [weight - 0.01 * gradient for weight, gradient in zip(weights, gradients, strict=True)], loss


weights = start()
step = jax.jit(update)
# fmt: off
for _ in truth_clock.steps(60):
    log(); x = augment(X) if len(X) else X  # noqa: E702
    log(); weights, loss = step(weights, x)  # noqa: E702
    loss.block_until_ready()
# fmt: on
print(f"loss {loss:.4f}")
