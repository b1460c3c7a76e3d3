"""Steps with and without a recording of the host, in turns, in one process: prints their times as JSON.

    python host_steps.py SHIM STEP_MS PAIRS usual|hot

A usual step takes a batch from a loader, which makes it of numpy, runs a program for most of STEP_MS, reads its loss
and logs now and then. A hot one runs the program for half of it, and pure Python in a function for the rest.
"""

import importlib.util
import json
import sys
import threading
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

TEXT = "the quick brown fox jumps over a lazy dog " * 20
IMAGES = 2048
PYTHON_RATIO = {"usual": 0.2, "hot": 0.5}
"""Of a step."""
BLOCK_SECONDS = 0.2
"""Of each side of a pair: long enough for the sampler to settle."""


def shim(folder):
    """The shim's package under a name of its own, as it is in a script."""
    spec = importlib.util.spec_from_file_location(
        "_shim", Path(folder) / "__init__.py", submodule_search_locations=[str(folder)]
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules["_shim"] = package
    spec.loader.exec_module(package)
    return importlib.import_module("_shim.host.recording")


@jax.jit
def program(x, weight):
    return jnp.tanh(x @ weight)


def words(text):
    return [word.upper() for word in text.split() if word.isalpha()]


def batches(size):
    """Of images that lie in memory."""
    generator = np.random.default_rng(0)
    images = generator.integers(0, 255, (IMAGES, 32, 32, 3), dtype=np.uint8)
    while True:
        chosen = generator.integers(0, IMAGES, size)
        batch = images[chosen].astype(np.float32)
        batch /= 255
        yield batch


def hot_steps(x, weight, runs, calls, duration):
    """The times of steps for so long, in seconds."""
    times = []
    end = time.perf_counter() + duration
    while time.perf_counter() < end:
        began = time.perf_counter()
        for _ in range(runs):
            x = program(x, weight)
        for _ in range(calls):
            words(TEXT)
        x.block_until_ready()
        times.append(time.perf_counter() - began)
    return times


def usual_steps(x, weight, runs, size, duration):
    """The same; a batch has so many images."""
    times, losses, loader = [], [], batches(size)
    end = time.perf_counter() + duration
    while time.perf_counter() < end:
        began = time.perf_counter()
        batch = next(loader)
        for _ in range(runs):
            x = program(x, weight)
        losses.append(float(x[0, 0]))
        if len(losses) % 10 == 0:
            json.dumps({"loss": sum(losses) / len(losses), "images": len(batch)})
        times.append(time.perf_counter() - began)
    return times


def calibrated(unit, seconds):
    """How often to call for so long."""
    unit()
    began, count = time.perf_counter(), 0
    while time.perf_counter() - began < 0.2:
        unit()
        count += 1
    return max(1, round(seconds * count / 0.2))


def recorder_of(recording):
    """A recording, made in a thread of its own as the agent makes it: that thread is not recorded."""
    made = []
    thread = threading.Thread(target=lambda: made.append(recording.Recording()))
    thread.start()
    thread.join()
    return made[0]


def main():
    recorder = recorder_of(shim(sys.argv[1]))
    step_seconds, pairs, kind = float(sys.argv[2]) / 1000, int(sys.argv[3]), sys.argv[4]
    steps, loader = (hot_steps, None) if kind == "hot" else (usual_steps, batches(1))
    x, weight = jnp.ones((128, 128)), jnp.ones((128, 128)) / 128
    python_seconds = PYTHON_RATIO[kind] * step_seconds
    runs = calibrated(lambda: program(x, weight).block_until_ready(), step_seconds - python_seconds)
    calls = calibrated(lambda: next(loader) if loader else words(TEXT), python_seconds)
    duration = max(BLOCK_SECONDS, 10 * step_seconds)
    for _ in range(2):
        # In a loop programs run while others are launched: it takes more of them.
        times = sorted(steps(x, weight, runs, calls, duration))
        longer = step_seconds / times[len(times) // 2]
        runs, calls = max(1, round(runs * longer)), max(1, round(calls * longer))
    found = []
    for number in range(pairs):
        pair = {}
        for side in ("plain", "recorded") if number % 2 else ("recorded", "plain"):
            if side == "recorded":
                recorder.begin(is_window=True)
            pair[side] = steps(x, weight, runs, calls, duration)
            recorder.end()
        found.append(pair)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
