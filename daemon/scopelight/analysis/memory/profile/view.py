"""The view of memory while a script ran."""

from scopelight.analysis.memory.profile.memory_profile import memory_profile as memory_profile_record
from scopelight.analysis.memory.profile.records import MemoryProfileRecord
from scopelight.analysis.options import NoOptions
from scopelight.analysis.subject import Subject


def memory_profile(subject: Subject, options: NoOptions) -> MemoryProfileRecord:  # noqa: ARG001 (every view has them)
    """Every memory over time and at its peak, or when a snapshot was saved."""
    return memory_profile_record(subject.profile, subject.line_options)
