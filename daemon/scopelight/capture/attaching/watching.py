"""Readings of a job whose agent is in it only for them."""

import queue
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Final

from scopelight.analysis.monitoring.records import JobReading
from scopelight.capture.conducting.job import Ended, Job
from scopelight.capture.conducting.observer import Observer
from scopelight.capture.monitoring.glancing import Glancing
from scopelight.capture.monitoring.run_source import WatchSpec
from scopelight.findings import note

_LOOK_SECONDS: Final = 0.05
_FIRST_SECONDS: Final = 2.0


def watch(job: Job, folder: Path, address: str, spec: WatchSpec, cancelled: threading.Event) -> Generator[JobReading]:
    """One reading after the other, until the job ends or this is ``cancelled``; traces lie in ``folder`` meanwhile."""
    made: queue.SimpleQueue[JobReading] = queue.SimpleQueue()
    observer = Observer()
    glancing = Glancing(folder, address, observer, made.put)
    # The agent says at once that the job has a backend, where it has.
    due, taken, has_backend = time.monotonic() + _FIRST_SECONDS, 0, False
    try:
        while not cancelled.is_set():
            try:
                message = job.messages.get(timeout=_LOOK_SECONDS)
            except queue.Empty:
                message = {}
            if isinstance(message, Ended):
                return
            if message.get("event") == "backend":
                has_backend = True
                due = min(due, time.monotonic()) if taken == 0 else due
            elif message.get("event") == "glanced":
                glancing.hear(message)
            glancing.look()
            while not made.empty():
                yield made.get()
                taken += 1
                if spec.count is not None and taken >= spec.count:
                    return
            now = time.monotonic()
            if now < due or glancing.is_at_it:
                continue
            due = now + spec.every_seconds
            if has_backend:
                glancing.ask(job, None)
            else:
                glancing.refuse(note("monitor-no-device-yet"))
    finally:
        observer.close()
        glancing.close()
