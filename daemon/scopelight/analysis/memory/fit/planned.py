"""What is in main memory at the peak of one program, as what would save some of it looks at it."""

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np

from scopelight.analysis.advice.records import Advice, Confidence
from scopelight.analysis.memory.fit.records import ProgramFit
from scopelight.analysis.memory.plan.program_memory import Lifetime, ProgramMemory, SpaceMemory
from scopelight.analysis.memory.plan.records import MemoryBuffer
from scopelight.analysis.memory.plan.reusable_arguments import argument_of
from scopelight.analysis.memory.plan.viewer import ViewedProgram
from scopelight.analysis.records import place_fields
from scopelight.analysis.totals.centre import Centre
from scopelight.findings import Action, Value
from scopelight.model.profile import Profile
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import Instruction, Shape
from scopelight.program.memory.trace_choice import given_back_after, taken_at, trace_moments


@attrs.frozen(eq=False, repr=False)
class Piece:
    """Memory that something takes at the peak. ``shape`` is None where nothing says it."""

    row: MemoryBuffer
    buffer: int
    shape: Shape | None
    argument: str | None
    """The argument of the function that it is in; None of what is no named argument."""


@attrs.frozen(eq=False, repr=False)
class PlannedProgram:
    """A program whose plan is known; ``devices`` are those of the target, of which it runs on ``partitions``."""

    profile: Profile
    centre: Centre
    viewed: ViewedProgram
    fit: ProgramFit
    devices: int
    partitions: int

    @property
    def memory(self) -> ProgramMemory:
        """Its buffers."""
        return self.viewed.memory

    @cached_property
    def space(self) -> SpaceMemory:
        """Its main memory."""
        return self.memory.space(0)

    @property
    def needed_bytes(self) -> int:
        """What shares are of."""
        return max(1, self.fit.needed_bytes or self.space.peak_bytes)

    @cached_property
    def pieces(self) -> Sequence[Piece]:
        """What is there at the peak."""
        position = self.space.peak_position
        rows = self.viewed.rows.alive_at(self.space, position)
        return [self._piece(*each) for each in zip(self.space.lifetimes(position), rows, strict=True)]

    @cached_property
    def within_results(self) -> Sequence[Piece]:
        """What at the peak lies in memory where results will, and is none: the plan counts that memory as theirs."""
        buffers, memory, trace = self.memory.buffers, self.memory, self.space.trace
        position = self.space.peak_position
        if trace is None or position < 0:
            return []
        moment = trace_moments(trace, buffers, memory.order, memory.last_read)[position]
        made = memory.order.time[buffers.instruction].astype(np.int64)
        last = np.fromiter((memory.last_read(each) for each in range(len(buffers))), np.int64, len(buffers))
        is_there = (buffers.instruction >= 0) & (taken_at(made) <= moment) & (moment < given_back_after(last))
        is_there &= last >= 0
        is_there[np.asarray(memory.results, np.int64)] = False
        found: dict[tuple[int, int], int] = {}
        for buffer in np.flatnonzero(is_there).tolist():
            row = int(buffers.allocation[buffer])
            allocation = buffers.allocations[row]
            if row >= 0 and not allocation.memory_space and allocation.is_live_out and not allocation.is_parameter:
                place = row, int(buffers.offset[buffer])
                # Several values may be one array: it is counted once.
                if place not in found or buffers.bytes[buffer] > buffers.bytes[found[place]]:
                    found[place] = buffer
        pieces = []
        for (row, _), buffer in found.items():
            size = int(buffers.bytes[buffer])
            lifetime = Lifetime(buffer, row, size, size, position, position + 1)
            pieces.append(self._piece(lifetime, self.viewed.rows.row(lifetime)))
        return pieces

    def instruction(self, buffer: int) -> Instruction | None:
        """What defines a buffer; None where nothing in the program does."""
        row = int(self.memory.buffers.instruction[buffer]) if buffer >= 0 else -1
        return self.memory.module.instructions[row] if row >= 0 else None

    def advice(
        self,
        code: str,
        saving_bytes: int,
        at: MemoryBuffer | Frame | None,
        action: Action | None = None,
        confidence: Confidence = "medium",
        **values: Value,
    ) -> Advice:
        """An advice on this program, about a line or its place in the text."""
        key: str | None = None
        if isinstance(at, Frame):
            key, place = self.centre.line_key(at), self.centre.frames.place_fields(at)
        else:
            key, place = at.line_key if at is not None else None, place_fields(at)
        return Advice(
            code=code,
            severity="advice",
            values={"program": self.viewed.module.name, "needed_bytes": self.needed_bytes, **values},
            evidence=tuple(each for each in (key, self.viewed.module.key) if each is not None),
            action=action,
            key=key,
            saving_bytes=saving_bytes,
            saving_basis="plan",
            confidence=confidence,
            **place,
        )

    def _piece(self, lifetime: Lifetime, row: MemoryBuffer) -> Piece:
        buffer = lifetime.buffer
        argument = None
        if row.category == "parameter" and row.op_name and not row.op_name.startswith("args["):
            argument = argument_of(row.op_name)
        return Piece(row, buffer, self.memory.shape(buffer) if buffer >= 0 else None, argument)
