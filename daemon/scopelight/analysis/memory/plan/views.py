"""The views of what compiled programs keep in memory. They share what was read of each program.

They raise `OptionError` where there is no such program, or the program has nothing in such a memory.
"""

from functools import partial

from scopelight.analysis.memory.options import MemoryAtOptions, ProgramMemoryOptions
from scopelight.analysis.memory.plan.execution_order import live_at
from scopelight.analysis.memory.plan.lines import memory_lines_record, no_memory_lines
from scopelight.analysis.memory.plan.program_choice import ProgramChoice, program_choice
from scopelight.analysis.memory.plan.records import (
    LiveAtRecord,
    MemoryLinesRecord,
    MemoryModule,
    MemoryViewerRecord,
)
from scopelight.analysis.memory.plan.viewer import (
    ViewedProgram,
    empty_memory_viewer,
    memory_viewer_record,
    viewed_program,
    viewed_space,
)
from scopelight.analysis.memory.profile.snapshot_lines import snapshot_memory_lines
from scopelight.analysis.options import OptionError
from scopelight.analysis.subject import Subject
from scopelight.phrase import Phrase


def memory_viewer(subject: Subject, options: ProgramMemoryOptions) -> MemoryViewerRecord:
    """What a program keeps in memory, position by position: that of the largest peak unless one is named."""
    choice, module = chosen_program(subject, options.program)
    viewed = read_program(subject, choice, module)
    if viewed is None:
        return empty_memory_viewer(subject.profile, choice, module)
    return memory_viewer_record(subject.profile, choice, viewed, options.memory_space)


def memory_lines(subject: Subject, options: ProgramMemoryOptions) -> MemoryLinesRecord:
    """The lines that a program's memory is for at its peak.

    A profile without programs has the lines of its largest snapshot, where it has any.
    """
    profile = subject.profile
    choice, module = chosen_program(subject, options.program)
    if module is None and options.memory_space is None:
        of_snapshot = snapshot_memory_lines(profile, subject.line_options)
        if of_snapshot is not None:
            return of_snapshot
    viewed = read_program(subject, choice, module)
    if viewed is None:
        return no_memory_lines(profile, choice, module, options.memory_space)
    warnings = (*profile.findings, *choice.findings)
    return memory_lines_record(viewed, options.memory_space, warnings)


def memory_at(subject: Subject, options: MemoryAtOptions) -> LiveAtRecord:
    """What is in memory at a program position. Raises `LookupError` where there is no such position either."""
    viewed = read_program(subject, *chosen_program(subject, options.program))
    if viewed is None:
        raise OptionError("program", Phrase("Nothing is known of what this program keeps in memory."))
    return live_at(viewed.memory, viewed_space(viewed, options.memory_space), viewed.rows, options.position)


def chosen_program(subject: Subject, name: str | None) -> tuple[ProgramChoice, MemoryModule | None]:
    """The programs of a run, and the chosen one: None where there is none at all."""
    choice = subject.once("programs", (), lambda: program_choice(subject.profile, subject.line_options))
    return choice, choice.find(name)


def read_program(subject: Subject, choice: ProgramChoice, module: MemoryModule | None) -> ViewedProgram | None:
    """What was read of a program; None where there is none, or it cannot be read."""
    if module is None or module.peak_bytes is None:
        return None
    read = partial(viewed_program, subject.profile, choice, module, subject.line_options)
    return subject.once("program", module.program_id, read)
