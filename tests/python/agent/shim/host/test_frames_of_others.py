"""Frames of threads that go on while they are sampled are never of memory that is somebody else's."""

import os
import subprocess
import sys
from pathlib import Path

import made

AGENT = Path(made.__file__).parents[3] / "daemon/agent/scopelight_agent"
LONGEST_SECONDS = 60

SCRIPT = """
import gc
import sys
import threading
import time

from shim.host import sampler
from shim.host.codes import Codes
from shim.host.queues import Queues

MAIN = threading.get_ident()
collected = 0

def nested(depth):
    # Frames of generators lie in memory of their own, which is freed with them.
    if depth:
        yield from nested(depth - 1)
    else:
        yield from range(20)

def lets_others_go_on(phase, info):
    global collected
    collected += 1
    if threading.get_ident() != MAIN:
        time.sleep(0.001)

gc.callbacks.append(lets_others_go_on)
gc.set_threshold(5)
if "disabled" in sys.argv:
    gc.disable()
sampler.ALONE_NS = 200_000
sampling = sampler.Sampler(Codes(), set(), Queues().look, lambda stack: True, lambda *of: of[-1])
sampling.start()
sampling.hurry()
end = time.monotonic() + 1.5
depth = 0
while time.monotonic() < end:
    depth = (depth + 1) % 40
    for each in nested(depth):
        pass
sampling.stop()
assert len(sampling.rows) > 100
print(f"enabled: {gc.isenabled()}, collected: {collected > 0}")
"""


def ran(*arguments):
    # What is freed is overwritten there: who reads it ends the process.
    environment = {**os.environ, "PYTHONPATH": str(AGENT), "PYTHONMALLOC": "debug"}
    command = [sys.executable, "-c", SCRIPT, *arguments]
    ended = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=LONGEST_SECONDS, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def test_a_script_goes_on_whose_garbage_is_collected_while_it_is_sampled():
    assert ran() == (0, "enabled: True, collected: True\n", "")


def test_a_script_that_collects_no_garbage_does_not_begin_to():
    assert ran("disabled") == (0, "enabled: False, collected: False\n", "")
