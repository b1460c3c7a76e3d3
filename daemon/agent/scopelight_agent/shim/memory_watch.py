"""Sample the memory of this process and its devices, and keep snapshots of live arrays; all from the agent's thread.

Whatever fails is written down and the script goes on. Samples come less often where they take long, so that they take
less than a hundredth of the time; so do snapshots.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from . import jax_process

IDLE_SECONDS = 0.25
"""Between samples."""
TRACING_SECONDS = 0.05
"""Between samples while a trace is running."""
LATER_SECONDS = 1.0
"""Between samples of a script that has run for `LATER_AFTER_SECONDS`."""
LATER_AFTER_SECONDS = 600.0
SAMPLE_COST_FACTOR = 200
"""Between samples at least so many times what one takes."""
SNAPSHOT_COST_FACTOR = 300
"""Between a snapshot and the next new high at least so many times what it took; so between those of memory run out."""
NEW_HIGH_RATIO = 1.05
"""A snapshot is due when so much more is in use than at the last one."""
MOST_HIGHS = 10
"""Snapshots of new highs that are kept: the latest."""
MOST_FAILURES = 3
"""After so many snapshots that failed none is tried."""

_STATS = ("bytes_in_use", "peak_bytes_in_use", "bytes_limit", "largest_free_block_bytes")


class MemoryWatch:
    """Writes samples to ``resources.jsonl`` in a folder, and snapshots to its folder ``memory``."""

    def __init__(self, folder: str, tell: Callable[..., None]) -> None:
        self._folder = folder
        self._tell = tell
        self._file: int | None = None
        self._began = time.monotonic()
        self._due = self._began
        self._asks_devices = True
        self._high_bytes = 0
        self._highs: list[str] = []
        self._highs_taken = 0
        self._no_snapshot_before = 0.0
        self._has_run_out_before = 0.0
        self._failures = 0
        self._problems: set[str] = set()
        self.readings = 0
        self.seconds = 0.0
        self._cost_seconds = 0.0
        try:
            self._file = os.open(
                os.path.join(folder, "resources.jsonl"),  # noqa: PTH118
                os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND,
                0o644,
            )
            self._write(total_bytes=_total_bytes())
        except OSError as error:
            self._stop_sampling(f"resources.jsonl cannot be written ({error.strerror or error})")

    def seconds_to_wait(self) -> float | None:
        """Until the next sample is due; None where there will be none."""
        return None if self._file is None else max(0.0, self._due - time.monotonic())

    def hurry(self) -> None:
        """Make a sample due now: a window may be shorter than the time between two."""
        self._due = 0.0

    def sample_if_due(self, *, is_tracing: bool, is_window: bool) -> None:
        """Take a sample whose time has come, and a snapshot of a new high; none of those inside the window."""
        now = time.monotonic()
        if self._file is None or now < self._due:
            return
        try:
            in_use_bytes = self._sample()
        except Exception as error:
            self._stop_sampling(f"Memory could not be sampled ({type(error).__name__}: {error})")
            return
        self.readings += 1
        cost_seconds = time.monotonic() - now
        self.seconds += cost_seconds
        # A sample that waited for the interpreter says little of the next one.
        self._cost_seconds += (cost_seconds - self._cost_seconds) / min(self.readings, 10)
        pause = TRACING_SECONDS if is_tracing else IDLE_SECONDS
        if now - self._began > LATER_AFTER_SECONDS:
            pause = LATER_SECONDS
        self._due = time.monotonic() + max(pause, self._cost_seconds * SAMPLE_COST_FACTOR)
        if self._high_bytes == 0:
            self._high_bytes = in_use_bytes
        elif in_use_bytes > self._high_bytes * NEW_HIGH_RATIO and not is_window:
            self._snapshot_high(in_use_bytes)

    def snapshot(self, name: str) -> bool:
        """Keep what is alive now as ``memory/NAME.pprof``; say whether it was done."""
        if self._failures >= MOST_FAILURES:
            return False
        began = time.monotonic()
        taken_ns = time.time_ns()
        try:
            data = sys.modules["jax"].profiler.device_memory_profile()
            cost_seconds = time.monotonic() - began
            folder = os.path.join(self._folder, "memory")  # noqa: PTH118
            os.makedirs(folder, exist_ok=True)  # noqa: PTH103
            file = os.path.join(folder, f"{name}.pprof")  # noqa: PTH118
            with open(f"{file}.partial", "wb") as stream:  # noqa: PTH123
                stream.write(data)
            os.replace(f"{file}.partial", file)  # noqa: PTH105
        except Exception as error:
            self._failures += 1
            self._problem(f"A snapshot of memory could not be taken ({type(error).__name__}: {error})")
            return False
        self._no_snapshot_before = time.monotonic() + SNAPSHOT_COST_FACTOR * cost_seconds
        # How much there was then tells whether all that is alive can be in memory.
        self._sample_once_more()
        self._tell("snapshot", name=name, file=f"memory/{name}.pprof", time_ns=taken_ns, cost_seconds=cost_seconds)
        return True

    def snapshot_of_want(self) -> None:
        """Keep what is alive as memory runs out; not every time, where a script tries again and again."""
        began = time.monotonic()
        if began >= self._has_run_out_before:
            self.snapshot("out-of-memory")
            self._has_run_out_before = time.monotonic() + SNAPSHOT_COST_FACTOR * (time.monotonic() - began)

    def _sample_once_more(self) -> None:
        """Take a sample that is not due, if it can be had."""
        with suppress(Exception):
            if self._file is not None:
                self._sample()
                self.readings += 1

    def finish(self) -> None:
        """Take the last sample, tell what watching took, and close the file."""
        self._sample_once_more()
        self._close()
        self._tell("memory-watched", readings=self.readings, seconds=self.seconds, problems=sorted(self._problems))

    def _sample(self) -> int:
        """Write a sample; what is in use: of the devices where they tell, else of the process."""
        resident_bytes = _resident_bytes()
        devices: dict[str, dict[str, int]] = {}
        if self._asks_devices:
            # A backend that does not tell, or cannot, is not asked again.
            with suppress(Exception):
                devices = _devices()
            self._asks_devices = bool(devices)
        self._write(resident_bytes=resident_bytes, **({"devices": devices} if devices else {}))
        return sum(stats["bytes_in_use"] for stats in devices.values()) if devices else resident_bytes or 0

    def _snapshot_high(self, in_use_bytes: int) -> None:
        if time.monotonic() < self._no_snapshot_before:
            return
        self._highs_taken += 1
        name = f"high-{self._highs_taken}"
        if not self.snapshot(name):
            return
        self._high_bytes = in_use_bytes
        self._highs.append(name)
        if len(self._highs) > MOST_HIGHS:
            dropped = self._highs.pop(0)
            with suppress(OSError):
                os.remove(os.path.join(self._folder, "memory", f"{dropped}.pprof"))  # noqa: PTH107, PTH118
            self._tell("snapshot-dropped", name=dropped)

    def _write(self, **fields: Any) -> None:  # noqa: ANN401
        if self._file is not None:
            os.write(self._file, json.dumps({"time_ns": time.time_ns(), **fields}).encode() + b"\n")

    def _problem(self, sentence: str) -> None:
        self._problems.add(sentence)
        with suppress(OSError):
            self._write(problem=sentence)

    def _stop_sampling(self, sentence: str) -> None:
        self._problem(sentence)
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _devices() -> dict[str, dict[str, int]]:
    """What is in use of each device's memory, by its name; nothing of those whose backend does not tell."""
    found = {}
    for device in jax_process.local_devices():
        stats = device.memory_stats()
        if stats and "bytes_in_use" in stats:
            known = {name: int(stats[name]) for name in _STATS if stats.get(name) is not None}
            found[f"{device.platform}:{device.id}"] = known
    return found


def _resident_bytes() -> int | None:
    """What this process has in main memory; None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return None


def _total_bytes() -> int | None:
    """What this process could have in main memory: the machine's, or less where its control group says so."""
    limits = []
    with suppress(OSError, ValueError):
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for file in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError), open(file, encoding="ascii") as stream:  # noqa: PTH123
            limits.append(int(stream.read()))
    return min(limits, default=None)
