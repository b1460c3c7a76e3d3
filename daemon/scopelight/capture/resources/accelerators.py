"""How much accelerators are used, and how much of their memory, where a library of their makers tells it.

They are asked in a thread of its own: a driver may take its time to answer, or never do.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Protocol

from scopelight.capture.resources.pace import Pace
from scopelight.capture.resources.samples import Samples

_PERIOD_SECONDS = 0.05
"""Of which `Pace` makes a quarter of a second: what drivers tell is a mean over about as long."""
_BUDGET_RATIO = 0.0004
_PATIENCE_SECONDS = 0.5


class Family(Protocol):
    """The accelerators of one maker."""

    part: str
    every_seconds: float
    """At least, between two questions."""

    def read(self) -> Sequence[Mapping[str, Any]]:
        """Each device: ``kind``, ``index``, ``name``, ``busy_ratio``, ``used_bytes``, ``total_bytes``."""

    def close(self) -> None:
        """Let go of the library."""


class Accelerators:
    """Asks what there is of accelerators until it is told to stop."""

    def __init__(self, samples: Samples, families: Sequence[Family] | None = None) -> None:
        self._samples = samples
        self._families = families
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._work, name="accelerators", daemon=True)

    def start(self) -> None:
        """Begin, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Ask no more."""
        self._stopped.set()
        self._thread.join(_PATIENCE_SECONDS)

    def _work(self) -> None:
        families = list(self._found() if self._families is None else self._families)
        pace = Pace(_PERIOD_SECONDS, time.monotonic(), _BUDGET_RATIO)
        due = dict.fromkeys(range(len(families)), 0.0)
        while due and not self._stopped.is_set():
            began_ns, now = time.thread_time_ns(), time.monotonic()
            for number in [each for each, when in due.items() if when <= now]:
                family = families[number]
                due[number] = now + family.every_seconds
                try:
                    devices = family.read()
                    if devices:
                        self._samples.write({"time_ns": time.time_ns(), "devices": list(devices)})
                except Exception as error:  # A fault of one must not lose the others.
                    self._samples.write_problem(family.part, error)
                    del due[number]
            self._stopped.wait(pace.wait_seconds(time.monotonic(), time.thread_time_ns() - began_ns))
        for family in families:
            with suppress(Exception):
                family.close()

    def _found(self) -> Sequence[Family]:
        """Those of this machine; most have none, and import nothing."""
        found: list[Family] = []
        from scopelight.capture.resources.nvidia import nvidia_gpus  # noqa: PLC0415
        from scopelight.capture.resources.tpu import tpus  # noqa: PLC0415

        for part, make in (("GPUs", nvidia_gpus), ("TPUs", tpus)):
            try:
                family = make()
            except Exception as error:
                self._samples.write_problem(part, error)
                continue
            if family is not None:
                found.append(family)
        return found
