"""Steps with and without a recording of the host, in turns, in one process: prints their times as JSON.

    python host_steps.py SHIM STEP_MS PAIRS

A step runs a program for about half of STEP_MS and Python for the rest, as loops with a loader do: lines of the loop, a
call of a function of its own, and one of pure Python that is hot.
"""

import importlib.util
import json
import sys
import threading
import time
from pathlib import Path

import jax
import jax.numpy as jnp

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


def steps(x, weight, runs, calls, text, duration):
    """The times of steps for so long, in seconds."""
    times = []
    end = time.perf_counter() + duration
    while time.perf_counter() < end:
        began = time.perf_counter()
        for _ in range(runs):
            x = program(x, weight)
        for _ in range(calls):
            words(text)
        x.block_until_ready()
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
    step_seconds, pairs = float(sys.argv[2]) / 1000, int(sys.argv[3])
    x, weight = jnp.ones((128, 128)), jnp.ones((128, 128)) / 128
    text = "the quick brown fox jumps over a lazy dog " * 20
    runs = calibrated(lambda: program(x, weight).block_until_ready(), step_seconds / 2)
    calls = calibrated(lambda: words(text), step_seconds / 2)
    duration = max(BLOCK_SECONDS, 10 * step_seconds)
    for _ in range(2):
        # In a loop programs run while others are launched: it takes more of them.
        times = sorted(steps(x, weight, runs, calls, text, duration))
        longer = step_seconds / times[len(times) // 2]
        runs, calls = max(1, round(runs * longer)), max(1, round(calls * longer))
    found = []
    for number in range(pairs):
        pair = {}
        for side in ("plain", "recorded") if number % 2 else ("recorded", "plain"):
            if side == "recorded":
                recorder.begin(is_window=True)
            pair[side] = steps(x, weight, runs, calls, text, duration)
            recorder.end()
        found.append(pair)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
