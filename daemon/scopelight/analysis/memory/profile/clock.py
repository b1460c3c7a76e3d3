"""The clock of a record of memory: watching begins before the trace, and no time that is shown is negative."""

import attrs

from scopelight.analysis.memory.profile.records import MemoryProfileRecord, MemoryRecord, MemorySnapshot


def counted_from_the_first(record: MemoryProfileRecord, first_ps: int) -> MemoryProfileRecord:
    """A record whose times count from the profile's first event, counted from what came first of all.

    ``first_ps`` is the first sample. Without one, and without a snapshot before the profile's first event, nothing
    changes.
    """
    traced = () if record.trace_ps is None else (record.trace_ps,)
    taken = (each.time_ps for each in record.snapshots if each.time_ps is not None)
    told = (sample.time_ps for memory in record.memories for sample in memory.samples[:1])
    origin_ps = min([first_ps, *traced, *taken, *told])
    if not origin_ps:
        return record
    return attrs.evolve(
        record,
        memories=tuple(_memory(each, origin_ps) for each in record.memories),
        snapshots=tuple(_snapshot(each, origin_ps) for each in record.snapshots),
        trace_ps=None if record.trace_ps is None else record.trace_ps - origin_ps,
    )


def _memory(memory: MemoryRecord, origin_ps: int) -> MemoryRecord:
    window_ps = memory.window_peak_ps
    return attrs.evolve(
        memory,
        peak_ps=memory.peak_ps - origin_ps,
        window_peak_ps=None if window_ps is None else window_ps - origin_ps,
        samples=tuple(attrs.evolve(each, time_ps=each.time_ps - origin_ps) for each in memory.samples),
        steps=tuple(
            attrs.evolve(each, start_ps=each.start_ps - origin_ps, end_ps=each.end_ps - origin_ps)
            for each in memory.steps
        ),
    )


def _snapshot(snapshot: MemorySnapshot, origin_ps: int) -> MemorySnapshot:
    time_ps = snapshot.time_ps
    return snapshot if time_ps is None else attrs.evolve(snapshot, time_ps=time_ps - origin_ps)
