"""Which program an allocation was for: the one that ran, or was about to, and the parts of its plan of that size.

jax's allocators record sizes and no names. A device's memory is taken for a program right before it runs, in pieces of
exactly the sizes that the compiler planned, so that a piece of such a size at that moment is known by the plan.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from scopelight.analysis.memory.plan.records import MemoryBuffer
from scopelight.analysis.memory.profile.records import MemoryBreakdownRow
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.frames import LineOptions
from scopelight.formats.errors import FormatError
from scopelight.model.profile import Profile

LEAST_BYTES = 4096
"""Many things are as small as that: a size below it tells nothing."""


class ProgramPlan:
    """The main memory of one program at its peak, by the compiler's plan: rows of buffers, and sizes of allocations."""

    def __init__(self, name: str, alive: Sequence[MemoryBuffer], sizes: Mapping[int, int]) -> None:
        self.name = name
        self.arguments = [buffer for buffer in alive if buffer.category == "parameter" and buffer.bytes >= LEAST_BYTES]
        self.temporaries = [buffer for buffer in alive if buffer.category == "temporary" and buffer.bytes]
        self._fixed: dict[int, MemoryBuffer] = {}
        for buffer in alive:
            size = sizes.get(buffer.allocation) if buffer.allocation is not None else None
            if buffer.category not in ("temporary", "thread-local") and size is not None and size >= LEAST_BYTES:
                known = self._fixed.get(size)
                if known is None or buffer.bytes > known.bytes:
                    self._fixed[size] = buffer
        rows = {buffer.allocation for buffer in self.temporaries}
        self._heaps = {size for row, size in sizes.items() if row in rows and size >= LEAST_BYTES}

    def is_heap(self, size_bytes: int) -> bool:
        """Whether the temporaries of the program lie in a piece of this size."""
        return size_bytes in self._heaps

    def fixed(self, size_bytes: int) -> MemoryBuffer | None:
        """The argument, result or constant that takes a piece of this size."""
        return self._fixed.get(size_bytes)


class ProgramsAtPeaks:
    """Finds the plan of the program that ran on a device at a time; each program is read once."""

    def __init__(self, profile: Profile, line_options: LineOptions) -> None:
        self._profile = profile
        self._options = line_options
        self._plans: dict[str, ProgramPlan | None] = {}

    def at(self, host: int, ordinal: int, time_ps: int) -> ProgramPlan | None:
        """The plan of the program that was running then, else of the next one to run; None where none is known."""
        devices = self._profile.executions.devices
        runs = self._profile.runs
        wanted = [row for row, each in enumerate(devices) if (each.host, each.ordinal) == (host, ordinal)]
        rows = np.flatnonzero(np.isin(runs.device, wanted) & (runs.start_ps + runs.duration_ps >= time_ps))
        if not len(rows):
            return None
        return self._of(int(runs.program[rows[np.argmin(runs.start_ps[rows])]]))

    def running(self, time_ps: int) -> list[tuple[str, int, ProgramPlan]]:
        """What was running at a time and has a plan, as far as it was traced: kind and number of the device, and it."""
        devices, runs = self._profile.executions.devices, self._profile.runs
        found = []
        for row in np.flatnonzero((runs.start_ps <= time_ps) & (runs.start_ps + runs.duration_ps > time_ps)).tolist():
            device = devices[int(runs.device[row])]
            plan = self._of(int(runs.program[row]))
            if plan is not None:
                found.append((device.kind, device.ordinal, plan))
        return found

    def _of(self, program: int) -> ProgramPlan | None:
        if program < 0:
            return None
        program_id = self._profile.executions.programs[program].program_id
        if program_id not in self._plans:
            self._plans[program_id] = self._plan(program_id)
        return self._plans[program_id]

    def _plan(self, program_id: str) -> ProgramPlan | None:
        # Only traces with programs and allocations come here.
        from scopelight.analysis.memory.plan.program_choice import program_choice  # noqa: PLC0415
        from scopelight.analysis.memory.plan.viewer import viewed_program  # noqa: PLC0415

        choice = program_choice(self._profile, self._options)
        try:
            module = choice.find(program_id)
            if module is None or module.peak_bytes is None:
                return None
            viewed = viewed_program(self._profile, choice, module, self._options)
            if viewed.memory.buffers.basis != "assigned":
                return None
            space = viewed.memory.space(0)
            alive = viewed.rows.alive_at(space, space.peak_position)
        except (FormatError, LookupError):
            # Without a plan the allocations keep their sizes, and no name.
            return None
        allocations = viewed.memory.buffers.allocations
        sizes = {each.index: each.bytes for each in allocations if each.memory_space == 0}
        return ProgramPlan(module.name, alive, sizes)


def row_of_buffer(buffer: MemoryBuffer, size_bytes: int, count: int) -> MemoryBreakdownRow:
    """A row of a breakdown for a part of a plan."""
    return MemoryBreakdownRow(
        op=buffer.op_name or buffer.name,
        bytes=size_bytes,
        basis="joined",
        count=count,
        region=buffer.category,
        data_type=buffer.element_type or None,
        shape=buffer.shape or None,
        line_key=buffer.line_key,
        op_key=buffer.op_key,
        **place_fields(buffer),
        primitive=buffer.primitive,
        phase=buffer.phase,
    )
