"""Operations that are threads of the script, or its processes: those that fill queues of Python's."""

from collections.abc import Iterator
from typing import Final

import attrs

from scopelight.analysis.host.input.graph.under_way import Graph, native_ids

PYTHON_QUEUES: Final = ("queue", "processes")
"""Kinds of queues that threads or processes of the script fill, and no library's operation."""


def add_threads(graph: Graph) -> Iterator[str]:
    """Add the threads that fill queues of Python's; gives the keys of those that the loop takes from."""
    launching = {each.thread.line_id for each in graph.threads if each.is_launching}
    makers: dict[int, str] = {}
    for found in graph.queues:
        if found.record.kind not in PYTHON_QUEUES:
            continue
        own = [each for each in graph.threads if each.thread.line_id in found.producers]
        parts = graph.working_on(own)
        key = graph.add(
            f"queue {found.record.key}",
            "processes" if found.record.kind == "processes" else "threads",
            ", ".join(found.record.producers),
            graph.place(parts),
            queue=found.record.key,
            parts=parts,
            is_seen=bool(own),
            workers=len(own) or None,
            busy_ratio=graph.busy_ratio(parts, len(own)) if own else None,
            thread_ids=native_ids(own),
        )
        for each in found.producers:
            makers[each] = key
        if found.consumers & launching:
            yield key
    _join(graph, makers)


def _join(graph: Graph, makers: dict[int, str]) -> None:
    """A thread may take from one queue to fill another."""
    for found in graph.queues:
        is_own = found.record.kind in PYTHON_QUEUES
        key = graph.key(f"queue {found.record.key}" if is_own else found.id)
        if all(each.key != key for each in graph.made):
            continue
        for consumer in found.consumers & makers.keys():
            made = next((each for each in graph.made if each.key == makers[consumer]), None)
            if made is not None and made.key != key:
                graph.replace(attrs.evolve(made, inputs=tuple(dict.fromkeys((*made.inputs, key)))))
