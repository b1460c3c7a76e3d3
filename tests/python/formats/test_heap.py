"""Memory that was freed: kept for what follows, until it is given back."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="glibc's heap")

FREED_BYTES = 128 << 20
SCRIPT = f"""
import threading
import numpy as np
from scopelight.formats.heap import give_back_freed_memory, keep_freed_memory

def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

keep_freed_memory()
before = resident_bytes()

def use():
    columns = [np.ones(1 << 17) for _ in range({FREED_BYTES} >> 20)]

for _ in range(3):
    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
print(resident_bytes() - before)
give_back_freed_memory()
print(resident_bytes() - before)
"""


def test_what_is_freed_is_used_again_by_other_threads_and_given_back_in_the_end():
    answer = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    kept, left = map(int, answer.stdout.split())
    assert 0.9 * FREED_BYTES < kept < 1.5 * FREED_BYTES
    assert left < 0.1 * FREED_BYTES
