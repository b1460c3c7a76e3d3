"""Write a compiled program of 25,000 instructions: a training step whose layers a loop of Python wrote out."""

import argparse
from pathlib import Path

import jax
import jax.numpy as jnp

WIDTH = 64


def layer(weights, x):
    """One of the layers: attention, a norm and two products."""
    queries, keys, values = (x @ weights[name] for name in ("queries", "keys", "values"))
    scores = jax.nn.softmax(queries @ keys.swapaxes(-1, -2))
    x = x + (scores @ values) @ weights["out"]
    centred = x - x.mean(-1, keepdims=True)
    normal = centred / jnp.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
    return x + jax.nn.gelu(normal @ weights["wide"]) @ weights["narrow"]


def loss(layers, x, target):
    """Of all layers, one after the other."""
    for weights in layers:
        x = layer(weights, x)
    return ((x - target) ** 2).mean()


def step(layers, x, target):
    """A step of gradient descent."""
    value, gradients = jax.value_and_grad(loss)(layers, x, target)
    return jax.tree.map(lambda weight, gradient: weight - 1e-3 * gradient, layers, gradients), value


def main() -> None:
    """Compile it and write it to a file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--layers", type=int, default=56)
    arguments = parser.parse_args()
    square, wide = jnp.ones((WIDTH, WIDTH)), jnp.ones((WIDTH, 4 * WIDTH))
    weights = {**dict.fromkeys(("queries", "keys", "values", "out"), square), "wide": wide, "narrow": wide.T}
    x = jnp.ones((8, 16, WIDTH))
    compiled = jax.jit(step).lower([weights] * arguments.layers, x, x).compile()
    module = compiled.runtime_executable().hlo_modules()[0]
    arguments.path.write_bytes(module.as_serialized_hlo_module_proto())


if __name__ == "__main__":
    main()
