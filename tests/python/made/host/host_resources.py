"""Resources made by hand: what a sampler would have written, and what is read of it."""

import json

import numpy as np

from scopelight.model.host.resource_lines import read_resources
from scopelight.model.host.resources import Counter, HostResources, Level

EPOCH_NS = 1_700_000_000_000_000_000
MS = 1_000_000
HEAD = {"format": 1, "system": "linux", "pid": 41, "cores": 4, "usable_cores": 4.0, "memory_bytes": 1 << 34}


def counter(*points):
    """Of (milliseconds, value) pairs."""
    times, values = zip(*points, strict=True)
    return Counter(np.array([EPOCH_NS + each * MS for each in times], dtype=np.int64), np.array(values, dtype=np.int64))


def level(*points):
    """Of (milliseconds, value) pairs."""
    times, values = zip(*points, strict=True)
    return Level(np.array([EPOCH_NS + each * MS for each in times], np.int64), np.array(values, np.float64))


def reading(at_ms, **fields):
    """A line of readings at so many milliseconds."""
    return {"time_ns": EPOCH_NS + at_ms * MS, **fields}


def machine(at_ms, user_ms=0, system_ms=0, idle_ms=0, **fields):
    """A reading of the machine: the times that its cores had spent by then."""
    states = [each * MS for each in (user_ms, 0, system_ms, idle_ms, 0, 0, 0, 0)]
    return reading(at_ms, machine={"cpu_ns": states, **fields})


def process(number, pid, parent=None, name="python", started_ms=0):
    """A process as it is told first."""
    return {"id": number, "pid": pid, "parent": parent, "name": name, "started_ns": EPOCH_NS + started_ms * MS}


def thread(number, process, tid, name="python"):
    """A thread as it is told first."""
    return {"id": number, "process": process, "tid": tid, "name": name}


def written(path, *lines, head=HEAD):
    """A file of these lines."""
    said = [head, *lines] if head is not None else lines
    path.write_text("".join(json.dumps(each) + "\n" for each in said))
    return path


def read(path, *lines, head=HEAD) -> HostResources:
    """What is read of a file of these lines."""
    return read_resources(written(path, *lines, head=head))
