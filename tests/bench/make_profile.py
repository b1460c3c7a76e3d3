"""Captures the files that the benchmark reads: 62 MB are a million events.

A transformer is trained on the CPU backend with the python tracer off.

Usage: make_profile.py FOLDER MEGABYTES. The largest ``*.xplane.pb`` under FOLDER is the result.
"""

import shutil
import sys
import tempfile
from pathlib import Path

import jax

sys.path.insert(0, str(Path(__file__).parents[2] / "daemon" / "examples"))

from decoder import initial_parameters
from optimizer import initial_state
from transformer import sums, train_step

HEADS, LENGTH, LAYERS, WIDTH = 4, 16, 8, 32
FIRST_TRY_STEPS_PER_MEGABYTE = 10.6


def trained(parameters, state, batches, steps):
    for _ in range(steps):
        parameters, state, _ = train_step(parameters, state, next(batches), HEADS)
    jax.block_until_ready(parameters)
    return parameters, state


def main():
    folder, megabytes = Path(sys.argv[1]), float(sys.argv[2])
    parameters = initial_parameters(jax.random.key(0), 128, WIDTH, LAYERS, LENGTH)
    state = initial_state(parameters)
    batches = sums(2, LENGTH)
    parameters, state = trained(parameters, state, batches, 10)
    options = jax.profiler.ProfileOptions()
    options.python_tracer_level = 0
    steps = int(FIRST_TRY_STEPS_PER_MEGABYTE * megabytes)
    while True:
        with tempfile.TemporaryDirectory() as attempt:
            jax.profiler.start_trace(attempt, profiler_options=options)
            parameters, state = trained(parameters, state, batches, steps)
            jax.profiler.stop_trace()
            captured = max(Path(attempt).rglob("*.xplane.pb"), key=lambda each: each.stat().st_size)
            size = captured.stat().st_size
            print(f"{steps} steps: {size / 1e6:.1f} MB", file=sys.stderr)
            if size >= megabytes * 1e6:
                folder.mkdir(parents=True, exist_ok=True)
                shutil.move(captured, folder / "transformer.xplane.pb")
                return
            steps = int(steps * max(1.2, 1.1e6 * megabytes / size))


main()
