"""A trainer that keeps its state in attributes, as libraries of training loops do."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np


@dataclasses.dataclass
class Config:
    width: int = 256
    depth: int = 4
    batch: int = 128
    steps: int = 100
    rate: float = 0.05


class Trainer:
    def __init__(self, config):
        self.config = config
        keys = jax.random.split(jax.random.key(0), config.depth)
        self.params = [jax.random.normal(key, (config.width, config.width)) / config.width**0.5 for key in keys]
        self._step = jax.jit(self._train_step)

    def _loss(self, params, x):
        y = x
        for w in params:
            y = y + 0.1 * jax.nn.gelu(y @ w)
        return jnp.mean((y - jnp.flip(x, -1)) ** 2)

    def _train_step(self, params, x):
        loss, grads = jax.value_and_grad(self._loss)(params, x)
        return [p - self.config.rate * g for p, g in zip(params, grads, strict=True)], loss

    def fit(self, data):
        for step, x in zip(range(self.config.steps), data, strict=False):
            self.params, loss = self._step(self.params, x)
            if step % 20 == 0:
                print(f"[{step:>4}] {loss:.5f}")


def data(config):
    rng = np.random.default_rng(0)
    while True:
        yield rng.normal(size=(config.batch, config.width)).astype(np.float32)


if __name__ == "__main__":
    config = Config()
    Trainer(config).fit(data(config))
