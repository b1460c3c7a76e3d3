"""A small CNN in flax with a slow loader, as a newcomer has it; tells by the clock when its first step has ended.

``marks.json`` in the current folder: seconds since the epoch when the script began, and when its first step had ended.
"""

import json
import time
from pathlib import Path

BEGAN = time.time()

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
import optax  # noqa: E402
from flax import linen as nn  # noqa: E402
from flax.training import train_state  # noqa: E402

STEPS = 400
BATCH = 128
DISK_SECONDS = 0.08


class Network(nn.Module):
    @nn.compact
    def __call__(self, images, is_training):
        x = images
        for features in (32, 64, 64):
            x = nn.Conv(features, (3, 3))(x)
            x = nn.BatchNorm(use_running_average=not is_training)(x)
            x = nn.max_pool(nn.relu(x), (2, 2), (2, 2))
        x = x.reshape((x.shape[0], -1))
        return nn.Dense(10)(nn.relu(nn.Dense(256)(x)))


class State(train_state.TrainState):
    statistics: dict


def batches():
    generator = np.random.default_rng(0)
    for _ in range(STEPS):
        time.sleep(DISK_SECONDS)
        images = generator.standard_normal((BATCH, 32, 32, 3), dtype=np.float32)
        yield np.clip(images, -2, 2), generator.integers(0, 10, BATCH)


def initial_state():
    network = Network()
    made = network.init(jax.random.key(0), jnp.zeros((1, 32, 32, 3)), is_training=False)
    optimizer = optax.adamw(optax.cosine_decay_schedule(1e-3, STEPS))
    return State.create(apply_fn=network.apply, params=made["params"], tx=optimizer, statistics=made["batch_stats"])


@jax.jit
def train_step(state, images, labels):
    def loss_of(parameters):
        variables = {"params": parameters, "batch_stats": state.statistics}
        logits, changed = state.apply_fn(variables, images, is_training=True, mutable=["batch_stats"])
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean(), changed

    (loss, changed), gradients = jax.value_and_grad(loss_of, has_aux=True)(state.params)
    return state.apply_gradients(grads=gradients).replace(statistics=changed["batch_stats"]), loss


def main():
    state = initial_state()
    for step, (images, labels) in enumerate(batches()):
        state, loss = train_step(state, jnp.asarray(images), jnp.asarray(labels))
        if step == 0:
            loss.block_until_ready()
            Path("marks.json").write_text(json.dumps({"began": BEGAN, "first_step": time.time()}))
        if step % 20 == 0:
            print(f"step {step} loss {float(loss):.3f}", flush=True)


if __name__ == "__main__":
    main()
