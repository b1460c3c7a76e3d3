"""What the lines of a run have in memory, at the peak of the program that needs most."""

from scopelight.analysis.compare.entries import Entry, Table
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_lines
from scopelight.analysis.options import Scope
from scopelight.analysis.subject import Subject


def memory_table(subject: Subject, _scope: Scope) -> Table:
    """The lines, and what has none: together the peak."""
    record = memory_lines(subject, ProgramMemoryOptions())
    entries = [
        Entry(
            key=line.key,
            kind="line",
            label=line.function,
            identities=("line",),
            path=line.path,
            file=line.file,
            line=line.line,
            function=line.function,
            bytes=line.bytes,
        )
        for line in record.lines
    ]
    rest = record.unattributed_bytes
    if rest:
        entries.append(
            Entry(key="unattributed", kind="rest", label="unattributed", identities=("unattributed",), bytes=rest)
        )
    return Table(entries)
