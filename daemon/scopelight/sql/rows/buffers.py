"""What compiled programs have in memory at their peaks."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scopelight.analysis.memory.plan.program_choice import ProgramChoice
from scopelight.analysis.memory.plan.records import MemoryModule
from scopelight.analysis.memory.plan.viewer import viewed_program
from scopelight.analysis.memory.plan.views import chosen_program
from scopelight.analysis.subject import Subject
from scopelight.formats.errors import FormatError
from scopelight.sql.rows.records import fields_of, table_columns
from scopelight.sql.schema import Columns


def buffers(subject: Subject) -> Columns:
    """Those of all programs, of each memory; a program that cannot be read has none."""
    choice, _ = chosen_program(subject, None)
    return table_columns("buffers", (row for module in choice.modules for row in _of(subject, choice, module)))


def _of(subject: Subject, choice: ProgramChoice, module: MemoryModule) -> Iterator[Mapping[str, Any]]:
    if module.peak_bytes is None:
        return
    try:
        viewed = viewed_program(subject.profile, choice, module, subject.line_options)
    except FormatError:
        # The views of memory say so.
        return
    for memory_space in module.memory_spaces:
        space = viewed.memory.space(memory_space.number)
        for buffer in viewed.rows.alive_at(space, int(np.argmax(space.bytes)) - 1):
            yield {
                **fields_of(buffer),
                "program_key": module.key,
                "program": module.name,
                "memory_space": memory_space.number,
                "first_position": buffer.start,
                "end_position": buffer.end,
            }
