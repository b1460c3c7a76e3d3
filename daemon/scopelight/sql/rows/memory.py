"""Memories over time."""

from scopelight.analysis.memory.profile.view import memory_profile
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def memory(subject: Subject) -> Columns:
    """The samples of every memory, by the clock of the profile."""
    record = memory_profile(subject, NoOptions())
    begin_ps = record.trace_ps or 0
    rows = (
        {
            **fields_of(sample),
            "memory_id": each.id,
            "name": each.name,
            "memory_kind": each.kind,
            "source": each.source,
            "capacity_bytes": each.capacity_bytes,
            "time_ps": sample.time_ps - begin_ps,
        }
        for each in record.memories
        for sample in each.samples
    )
    return table_columns("memory", rows)
