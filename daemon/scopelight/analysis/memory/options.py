"""Options of the views of memory."""

import attrs

from scopelight.analysis.options import MemorySpaceOption, ProgramOption


@attrs.frozen
class ProgramMemoryOptions:
    """Which program, and which of its memories."""

    program: ProgramOption = None
    memory_space: MemorySpaceOption = None


@attrs.frozen
class MemoryAtOptions:
    """Which program position of what a `MemoryViewerRecord` shows."""

    position: int
    program: ProgramOption = None
    memory_space: MemorySpaceOption = None


@attrs.frozen
class FitOptions:
    """Which program's lines are told; without it those of the one that fits least."""

    program: ProgramOption = None
