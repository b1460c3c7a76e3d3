"""Which operation holds the others up."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import attrs

from scopelight.analysis.host.input.graph_records import Certainty, InputOperation, InputQueue, SuspectRule
from scopelight.analysis.host.input.queue_verdict import MOST_EMPTY

_LEAST_USE: Final = 0.2
_MOST_USE: Final = 0.8
"""A queue used less is starved, one used more has what its reader needs."""
SURE: Final = 0.9
LIKELY: Final = 0.7
"""Of the time of its workers, that an operation works in."""


@attrs.frozen
class Suspected:
    """The operation, how sure that is, the one with whose queue or threads it works, and why it is that one."""

    operation: InputOperation
    certainty: Certainty
    worker: InputOperation
    rule: SuspectRule = "work"


def suspected_of(
    operations: Sequence[InputOperation], queues: Sequence[InputQueue], *, in_the_loop: bool = False
) -> Suspected | None:
    """From the script backwards the first whose queue is starved although it has what it needs; None where none is.

    Of those that the script calls itself the one that is suspect in most steps is first, then that which works longest;
    ``in_the_loop`` is it one of those.
    """
    by_key = {each.key: each for each in operations}
    by_name = {each.key: each for each in queues}
    waiting = [each for each in operations if each.kind == "script"]
    seen: set[str] = set()
    while waiting:
        reader = waiting.pop(0)
        workers = [by_key[key] for key in reader.inputs if key in by_key]
        for worker in sorted(workers, key=lambda each: _rank(each, by_key)):
            if worker.key in seen or (in_the_loop and not _is_in_the_loop(worker)):
                continue
            seen.add(worker.key)
            queue = by_name.get(worker.queue or "")
            if queue is not None and not _is_starved(queue):
                continue
            group = list(_inline(worker, by_key))
            behind = [each for member in group for each in _behind(member, by_key) if each not in group]
            feeding = [by_name[each.queue] for each in behind if each.queue in by_name]
            if not any(_is_starved(each) for each in feeding):
                chosen = _longest(group)
                has_all = all((each.use_ratio or 0.0) > _MOST_USE for each in feeding)
                certainty = _certainty(chosen, group) if has_all else "likely"
                rule = _rule(chosen, operations, in_the_loop=in_the_loop, has_queues=bool(feeding or queue))
                return Suspected(chosen, certainty, worker, rule)
            waiting.extend(attrs.evolve(reader, inputs=(each.key,)) for each in behind)
    return None


def _rule(
    chosen: InputOperation, operations: Sequence[InputOperation], *, in_the_loop: bool, has_queues: bool
) -> SuspectRule:
    if chosen.suspect_steps and chosen.suspect_steps == max(each.suspect_steps for each in operations):
        return "steps"
    if in_the_loop:
        return "loop"
    return "queues" if has_queues else "work"


def _is_in_the_loop(worker: InputOperation) -> bool:
    return worker.queue is None and worker.kind not in ("threads", "processes")


def _rank(worker: InputOperation, by_key: Mapping[str, InputOperation]) -> tuple[int, int]:
    """What workers are asked in order of: those that work ahead first, then the suspect of most steps in the loop."""
    if not _is_in_the_loop(worker):
        return -sys.maxsize, 0
    steps, self_ps = max(map(_blame, _inline(worker, by_key)))
    return -steps, -self_ps


def _blame(operation: InputOperation) -> tuple[int, int]:
    return operation.suspect_steps, operation.self_ps or 0


def _is_starved(queue: InputQueue) -> bool:
    """Whether it lacks what its reader needs: it holds little, or was often empty when something was taken."""
    return (queue.use_ratio or 0.0) < _LEAST_USE or queue.empty_gets > MOST_EMPTY * queue.gets


def _inline(worker: InputOperation, by_key: Mapping[str, InputOperation]) -> Iterator[InputOperation]:
    """An operation, and those that it calls itself, for there is no queue between."""
    waiting, seen = [worker], {worker.key}
    while waiting:
        each = waiting.pop()
        yield each
        for key in each.inputs:
            behind = by_key.get(key)
            if behind is not None and behind.queue is None and key not in seen:
                seen.add(key)
                waiting.append(behind)


def _behind(operation: InputOperation, by_key: Mapping[str, InputOperation]) -> Iterator[InputOperation]:
    return (by_key[key] for key in operation.inputs if key in by_key)


def _longest(group: Sequence[InputOperation]) -> InputOperation:
    """The suspect of most steps, or the one that works longest; where no times are known, the only one whose function
    is, else the whole."""
    timed = [each for each in group if each.self_ps]
    if timed:
        return max(timed, key=_blame)
    placed = [each for each in group if each.line is not None]
    return placed[0] if len(placed) == 1 else group[0]


def _certainty(chosen: InputOperation, group: Sequence[InputOperation]) -> Certainty:
    busy = chosen.busy_ratio or 0.0
    core = max((each.core_ratio or 0.0 for each in group), default=0.0)
    return "sure" if max(busy, core) >= SURE else "likely"
