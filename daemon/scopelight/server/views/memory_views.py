"""Records of the memory of a run's programs: made off the event loop when asked for, kept by run and options."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, TypeVar

from scopelight.server.views.op_views import OpSource
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.work import Shared, Work

if TYPE_CHECKING:
    from scopelight.analysis.memory.line_memory import LineMemory
    from scopelight.analysis.memory.plan.program_choice import ProgramChoice
    from scopelight.analysis.memory.plan.records import LiveAtRecord, MemoryViewerRecord
    from scopelight.analysis.memory.plan.viewer import ViewedProgram
    from scopelight.analysis.totals.frames import LineOptions
    from scopelight.model.profile import Profile

# What analyses takes a second to import: functions here import it when they run, in a worker.

KEPT_CHOICES = 2
"""Each knows where the programs of a run are in its files."""
KEPT_PROGRAMS = 3
"""Each holds the instructions and buffers of one program."""
KEPT_RECORDS = 6

T = TypeVar("T")


class MemoryViews:
    """The memory of the runs of one session. Used on the event loop only."""

    def __init__(self, work: Work) -> None:
        self._choices: Shared[ProgramChoice] = Shared(work, kept=KEPT_CHOICES)
        self._programs: Shared[ViewedProgram | None] = Shared(work, kept=KEPT_PROGRAMS)
        self._records: Shared[MemoryViewerRecord] = Shared(work, kept=KEPT_RECORDS)
        self._moments: Shared[LiveAtRecord] = Shared(work, kept=KEPT_RECORDS)
        self._lines: Shared[LineMemory] = Shared(work, kept=KEPT_RECORDS)

    async def viewer(self, source: OpSource, program_id: str | None, memory_space: int | None) -> MemoryViewerRecord:
        """What a program keeps in memory. Raises `RequestFailed` where the run has no such program or space."""
        profile = await source.profile()
        choice = await self._choice(source, profile)
        viewed = await self._viewed(source, profile, choice, program_id)
        make = functools.partial(_make_viewer, profile, choice, viewed, program_id, memory_space)
        return await _answered(self._records, (source.key, program_id, memory_space), make)

    async def alive_at(
        self, source: OpSource, program_id: str | None, memory_space: int | None, position: int
    ) -> LiveAtRecord:
        """What is in memory at a position. Raises `RequestFailed` where there is no such position either."""
        profile = await source.profile()
        choice = await self._choice(source, profile)
        viewed = await self._viewed(source, profile, choice, program_id)
        if viewed is None:
            raise RequestFailed("Nothing is known of what this program keeps in memory.")
        make = functools.partial(_make_live_at, viewed, memory_space, position)
        return await _answered(self._moments, (source.key, program_id, memory_space, position), make)

    async def lines(self, source: OpSource) -> LineMemory:
        """What the lines of a run have in memory at the peak of the program with the largest one."""
        profile = await source.profile()
        choice = await self._choice(source, profile)
        viewed = await self._viewed(source, profile, choice, None)
        return await self._lines.get((source.key,), functools.partial(_make_lines, profile, choice, viewed))

    def forget(self, unwanted: Callable[[Hashable], bool]) -> None:
        """Let go of the programs of runs whose key is ``unwanted``, which also lets go of their mapped files."""
        for kept in (self._choices, self._programs):
            kept.forget(lambda key: isinstance(key, tuple) and unwanted(key[0]))

    async def _choice(self, source: OpSource, profile: Profile) -> ProgramChoice:
        return await self._choices.get((source.key,), functools.partial(_make_choice, profile))

    async def _viewed(
        self, source: OpSource, profile: Profile, choice: ProgramChoice, program_id: str | None
    ) -> ViewedProgram | None:
        """The program of an id; None where there is none at all, or it cannot be read."""
        try:
            module = choice.find(program_id)
        except LookupError as error:
            raise RequestFailed(str(error)) from error
        wanted = module.program_id if module is not None else None
        make = functools.partial(_make_viewed, profile, choice, wanted, source.options)
        return await self._programs.get((source.key, wanted), make)


async def _answered(kept: Shared[T], key: Hashable, make: Callable[[], T]) -> T:
    try:
        return await kept.get(key, make)
    except LookupError as error:
        raise RequestFailed(str(error)) from error


def _make_choice(profile: Profile) -> ProgramChoice:
    from scopelight.analysis.memory.plan.program_choice import program_choice  # noqa: PLC0415

    return program_choice(profile)


def _make_viewed(
    profile: Profile, choice: ProgramChoice, program_id: str | None, options: LineOptions
) -> ViewedProgram | None:
    from scopelight.analysis.memory.plan.viewer import viewed_program  # noqa: PLC0415

    module = choice.find(program_id)
    if module is None or module.peak_bytes is None:
        return None
    return viewed_program(profile, choice, module, options)


def _make_viewer(
    profile: Profile,
    choice: ProgramChoice,
    viewed: ViewedProgram | None,
    program_id: str | None,
    memory_space: int | None,
) -> MemoryViewerRecord:
    from scopelight.analysis.memory.plan.viewer import (  # noqa: PLC0415
        empty_memory_viewer,
        memory_viewer_record,
    )

    if viewed is None:
        return empty_memory_viewer(profile, choice, choice.find(program_id))
    return memory_viewer_record(profile, choice, viewed, memory_space)


def _make_live_at(viewed: ViewedProgram, memory_space: int | None, position: int) -> LiveAtRecord:
    from scopelight.analysis.memory.plan.execution_order import live_at  # noqa: PLC0415
    from scopelight.analysis.memory.plan.viewer import viewed_space  # noqa: PLC0415

    return live_at(viewed.memory, viewed_space(viewed, memory_space), viewed.rows, position)


def _make_lines(profile: Profile, choice: ProgramChoice, viewed: ViewedProgram | None) -> LineMemory:
    from scopelight.analysis.memory.line_memory import LineMemory  # noqa: PLC0415
    from scopelight.analysis.memory.plan.lines import memory_lines_record, no_memory_lines  # noqa: PLC0415

    if viewed is None:
        return LineMemory(no_memory_lines(profile, choice, choice.find(None), None))
    return LineMemory(memory_lines_record(viewed, None, profile.warnings))
