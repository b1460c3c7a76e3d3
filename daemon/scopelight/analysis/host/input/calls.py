"""What the lines of threads call by name, such as the ``put`` of a queue, and which threads fill queues by that."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.totals.centre import Centre
from scopelight.model.host.record import HostRecord, SeenQueue

PUTTING: Final = "put"
_OF_PYTHON: Final = ("queue", "processes")
"""Kinds of queues whose methods the user's lines call themselves."""


def filling_threads(record: HostRecord, centre: Centre) -> frozenset[int]:
    """Threads that put into queues: that were seen to wait there for room, or whose lines call it by its name."""
    found = {line_id for seen in record.queues for line_id, function in seen.ends if function == PUTTING}
    gets = {name for seen in record.queues for name in receivers(record, seen.ends, "get", centre)}
    if gets:
        launching = {line_id for seen in record.queues for line_id, function in seen.ends if function != PUTTING}
        for line_id in record.threads:
            if line_id not in launching and gets & calls_of(record, line_id, PUTTING, centre):
                found.add(line_id)
    return frozenset(found)


def queue_name(record: HostRecord, seen: SeenQueue, centre: Centre) -> str:
    """What a queue is called where it is taken from, if that is one name; else its class."""
    called = receivers(record, seen.ends, "get", centre) if seen.queue.kind in _OF_PYTHON else frozenset()
    return seen.queue.called or (min(called) if len(called) == 1 else seen.queue.name)


def receivers(record: HostRecord, ends: Mapping[tuple[int, str], int], function: str, centre: Centre) -> frozenset[str]:
    """What the lines call a queue on which threads stood in a function of it: ``ready`` of ``ready.get()``."""
    threads = {line_id for line_id, name in ends if name == function}
    return frozenset(name for line_id in threads for name in calls_of(record, line_id, function, centre))


def calls_of(record: HostRecord, line_id: int, method: str, centre: Centre) -> frozenset[str]:
    """The names of what a thread's lines call a method of, the last part of each: ``queue`` of ``self.queue.get()``."""
    stands = record.stands_of(line_id)
    if stands is None:
        return frozenset()
    stood = set(stands.stack[stands.stack >= 0].tolist())
    lines = {(each.path, each.line) for row in stood for each in centre.frames.of(stands.stacks[row])}
    names = set()
    for path, line in lines:
        text = centre.text(path, line) or ""
        before, is_called, _ = text.partition(f".{method}(")
        name = _last_name(before) if is_called else ""
        if name:
            names.add(name)
    return frozenset(names)


def _last_name(text: str) -> str:
    end = len(text)
    while end and (text[end - 1].isalnum() or text[end - 1] == "_"):
        end -= 1
    return text[end:]
