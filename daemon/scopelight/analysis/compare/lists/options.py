"""Which table of two runs is compared."""

import attrs

from scopelight.analysis.compare.trees.records import ComparedList
from scopelight.analysis.options import MemorySpaceOption, ProgramOption


@attrs.frozen
class ComparedListOptions:
    """Which table; of buffers also of which program, and in which of its memories, as its view is asked; of what was
    alive the name of the snapshot, without which it is the largest."""

    of: ComparedList
    program: ProgramOption = None
    memory_space: MemorySpaceOption = None
    snapshot: str | None = None
