"""For which operations on data the processes and threads of a script work."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.host.input.graph_records import InputOperation
from scopelight.analysis.host.resources.records import ResourcesRecord


def with_operations(record: ResourcesRecord, operations: Sequence[InputOperation]) -> ResourcesRecord:
    """A record whose rows have the names of the operations that they work for, those that make data first."""
    of_threads: dict[int, list[str]] = {}
    of_processes: dict[int, list[str]] = {}
    for operation in operations:
        for known, ids in ((of_threads, operation.thread_ids), (of_processes, operation.process_ids)):
            for each in ids:
                known.setdefault(each, []).append(operation.name)
    script = next((each.pid for each in record.processes if each.parent_pid is None), None)
    return attrs.evolve(
        record,
        processes=tuple(
            attrs.evolve(each, works_for=_names(of_processes.get(each.pid, ()))) for each in record.processes
        ),
        threads=tuple(
            attrs.evolve(
                each,
                works_for=_names(
                    of_threads.get(each.tid or 0, ()) if each.pid == script else of_processes.get(each.pid, ())
                ),
            )
            for each in record.threads
        ),
    )


def _names(operations: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in operations if each))
