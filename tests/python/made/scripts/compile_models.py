"""Compiles small models and windows for a kind of TPU that is not there, and prints what the compiler counts of each.

    python compile_models.py TOPOLOGY FOLDER

A language model with causal attention, a convolution net whose sizes fit no tile, forward and a training step of each,
and reductions over windows. The programs go to FOLDER.
"""

import json
import os
import sys

os.environ["TPU_SKIP_MDS_QUERY"] = "1"

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import topologies
from jax.sharding import SingleDeviceSharding

LAYERS, BATCH, POSITIONS, FEATURES, HEADS, WORDS = 2, 2, 2048, 256, 4, 1000
IMAGES = (5, 57, 45, 3)
KERNELS = ((7, 7, 3, 24), (3, 3, 24, 40), (3, 3, 40, 56), (1, 3, 56, 33))
CLASSES = 11

WINDOWS = {
    "whole_row": ((512, 16), 31, 1, (15, 15)),
    "whole_row_of_three": ((8, 64, 16), 31, 1, (15, 15)),
    "whole_long_row": ((512, 2048), 4095, 1, (2047, 2047)),
    "every_other_of_the_row": ((512, 16), 31, 2, (15, 15)),
    "wide_padding": ((512, 16), 33, 1, (16, 16)),
    "cumulative": ((512, 16), 16, 1, (15, 0)),
    "same": ((512, 16), 3, 1, (1, 1)),
}
"""Of reductions along the last dimension: array, window, stride and padding."""


def normalised(x):
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def attention(weights, x):
    shape = (BATCH, POSITIONS, HEADS, FEATURES // HEADS)
    q, k, v = (each.reshape(shape) for each in jnp.split(x @ weights["qkv"], 3, -1))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) / 8
    scores = jnp.where(jnp.tril(jnp.ones((POSITIONS, POSITIONS), bool)), scores, -1e30)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(x.dtype), v)
    return mixed.reshape(x.shape) @ weights["out"]


def language_model(weights, words):
    x = weights["words"][words]
    for block in weights["blocks"]:
        x = x + attention(block, normalised(x))
        x = x + jax.nn.gelu(normalised(x) @ block["up"]) @ block["down"]
    logits = jax.nn.log_softmax((normalised(x) @ weights["head"]).astype(jnp.float32))
    return -jnp.take_along_axis(logits, words[..., None], -1).mean()


def convolved(x, kernel, stride, padding, dilation=1):
    numbers = ("NHWC", "HWIO", "NHWC")
    return lax.conv_general_dilated(
        x, kernel, (stride, stride), padding, rhs_dilation=(dilation, dilation), dimension_numbers=numbers
    )


def pooled(x, initial, operation, stride):
    return lax.reduce_window(x, initial, operation, (1, 3, 3, 1), (1, stride, stride, 1), "SAME")


def convolution_net(weights, images):
    first, second, third, fourth = weights["kernels"]
    x = jax.nn.relu(convolved(images, first, 2, "SAME"))
    x = pooled(x, -jnp.inf, lax.max, 2)
    x = jax.nn.relu(convolved(x, second, 1, "SAME", dilation=2))
    x = pooled(x, 0.0, lax.add, 1) / 9
    x = jax.nn.relu(convolved(x, third, 3, "VALID"))
    x = convolved(x, fourth, 1, "SAME")
    return -jax.nn.log_softmax(x.mean((1, 2)) @ weights["out"]).mean()


def step_of(model):
    def step(weights, data):
        value, gradients = jax.value_and_grad(model)(weights, data)
        return jax.tree.map(lambda w, g: w - (0.01 * g).astype(w.dtype), weights, gradients), value

    return step


def reduction(size, stride, padding):
    def reduce(x):
        rank = len(x.shape) - 1
        spread = (*((0, 0),) * rank, padding)
        return lax.reduce_window(x, -jnp.inf, lax.max, (*(1,) * rank, size), (*(1,) * rank, stride), spread)

    return reduce


def main(topology: str, folder: str) -> None:
    device = topologies.get_topology_desc(platform="tpu", topology_name=topology).devices[0]

    def array(*shape, dtype=jnp.bfloat16):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=SingleDeviceSharding(device))

    block = {
        "qkv": array(FEATURES, 3 * FEATURES),
        "out": array(FEATURES, FEATURES),
        "up": array(FEATURES, 4 * FEATURES),
        "down": array(4 * FEATURES, FEATURES),
    }
    language = {"words": array(WORDS, FEATURES), "head": array(FEATURES, WORDS), "blocks": [block] * LAYERS}
    net = {"kernels": [array(*each) for each in KERNELS], "out": array(KERNELS[-1][-1], CLASSES)}
    words, images = array(BATCH, POSITIONS, dtype=jnp.int32), array(*IMAGES)
    programs = {
        "language_model": (language_model, language, words),
        "language_model_step": (step_of(language_model), language, words),
        "convolution_net": (convolution_net, net, images),
        "convolution_net_step": (step_of(convolution_net), net, images),
    } | {name: (reduction(*rest), array(*shape, dtype=jnp.float32)) for name, (shape, *rest) in WINDOWS.items()}
    said = {}
    for name, (function, *arguments) in programs.items():
        function.__name__ = function.__qualname__ = name
        options = {"xla_dump_to": f"{folder}/{name}", "xla_dump_hlo_as_proto": True}
        said[name] = jax.jit(function).lower(*arguments).compile(compiler_options=options).cost_analysis()["flops"]
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
