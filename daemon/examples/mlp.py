"""Trains a multi-layer perceptron to tell spirals apart: scopelight run mlp.py --width 512."""

import argparse
import itertools

import jax
import jax.numpy as jnp
import numpy as np
from optimizer import adam_update, initial_state


def spirals(batch, classes, seed=0):
    """Batches of points on as many spirals as there are classes, embedded in 64 dimensions, without end."""
    random = np.random.default_rng(seed)
    embedding = random.normal(size=(2, 64)).astype(np.float32)
    while True:
        label = random.integers(classes, size=batch)
        radius = random.uniform(0.1, 1.0, size=batch)
        angle = 4.0 * radius + 2 * np.pi * label / classes + random.normal(scale=0.3, size=batch)
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
        yield points.astype(np.float32) @ embedding, label.astype(np.int32)


def initial_layers(key, sizes):
    """Weights and biases of the layers between the given sizes."""
    layers = []
    for fan_in, fan_out in itertools.pairwise(sizes):
        key, own = jax.random.split(key)
        weight = jax.random.normal(own, (fan_in, fan_out)) * jnp.sqrt(2.0 / fan_in)
        layers.append({"weight": weight, "bias": jnp.zeros(fan_out)})
    return layers


def logits(layers, points):
    """The network's scores of each class for each point."""
    hidden = points
    for layer in layers[:-1]:
        hidden = hidden @ layer["weight"] + layer["bias"]
        hidden = jax.nn.gelu(hidden)
    return hidden @ layers[-1]["weight"] + layers[-1]["bias"]


def cross_entropy(layers, points, label):
    """Mean negative log likelihood of the labels."""
    log_probability = jax.nn.log_softmax(logits(layers, points))
    return -jnp.mean(jnp.take_along_axis(log_probability, label[:, None], axis=1))


@jax.jit
def train_step(layers, state, points, label):
    """One update of the layers; returns the loss before it."""
    loss, gradients = jax.value_and_grad(cross_entropy)(layers, points, label)
    layers, state = adam_update(layers, gradients, state)
    return layers, state, loss


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--classes", type=int, default=5)
    options = parser.parse_args()

    sizes = [64] + [options.width] * options.depth + [options.classes]
    layers = initial_layers(jax.random.key(0), sizes)
    state = initial_state(layers)
    batches = spirals(options.batch, options.classes)
    for step in range(options.steps):
        points, label = next(batches)
        layers, state, loss = train_step(layers, state, points, label)
        if step % 100 == 0 or step == options.steps - 1:
            print(f"step {step:4d}  loss {loss:.4f}", flush=True)


if __name__ == "__main__":
    main()
