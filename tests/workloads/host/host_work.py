"""Prepares each batch with numpy, with json and in pure Python, which all want the interpreter for themselves."""

import json

import numpy as np
import truth_clock
from perceptron import BATCH, WIDTH, start, train_step


def ordered(generator):
    return np.sort(generator.standard_normal(100_000, dtype=np.float32))  # line: sort


def decoded(text):
    records = json.loads(text)  # line: loads
    return records, json.dumps(records[:300])  # line: dumps


def weighed(records):
    return sum(record["weight"] * (record["label"] % 7) for record in records for _ in range(40))  # line: python


def train(steps):
    generator = np.random.default_rng(0)
    made = [{"label": row, "weight": row / 7, "tags": ["a", "b", str(row)]} for row in range(3000)]
    text = json.dumps(made)
    x = generator.standard_normal((BATCH, WIDTH), dtype=np.float32)
    weights = start()
    for _ in steps:
        values = ordered(generator)  # line: orders
        records, _ = decoded(text)  # line: decodes
        scale = weighed(records) / 1e9  # line: weighs
        y = x * np.float32(scale) + values[0]  # line: scales
        weights, loss = train_step(weights, x, y)  # line: step
        loss.block_until_ready()  # line: wait


if __name__ == "__main__":
    truth_clock.watch(ordered, decoded, weighed, train)
    train(truth_clock.steps(200))
