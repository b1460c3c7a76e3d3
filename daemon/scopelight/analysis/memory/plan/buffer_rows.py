"""The rows of buffers: what each is, what it is called, and which line defines it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scopelight.analysis.memory.plan.program_memory import Lifetime, ProgramMemory, SpaceMemory, category_of
from scopelight.analysis.memory.plan.records import BufferCategory, MemoryBuffer
from scopelight.analysis.ops.expression import shape_with_layout
from scopelight.analysis.records import PHASE_NAMES
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.keys import digest
from scopelight.analysis.totals.names import primitive_of
from scopelight.model.executions import Device
from scopelight.program.hlo.frames import Frame, Stack
from scopelight.program.hlo.nouns import Instruction
from scopelight.program.memory.buffers import Allocation
from scopelight.program.phases.phase import Phase

SMALL_BYTES = 16 << 10
"""What is less is put together, one row for each category; the bound is xprof's."""

_AFTER_FORWARD = frozenset((int(Phase.BACKWARD), int(Phase.RECOMPUTE)))


class BufferRows:
    """Makes the rows of one program's buffers. Lines are looked up once."""

    def __init__(
        self, memory: ProgramMemory, centre: Centre, device: Device, program_key: str, op_keys: Mapping[str, str]
    ) -> None:
        """``device`` is what the program is for; ``op_keys`` are of the ops that ran, by name of the instruction."""
        self._memory = memory
        self._op_keys = op_keys
        self._centre = centre
        self._program_key = program_key
        self.frames = centre.frames
        self._shares = centre.shares
        self._rates = device.rates
        self._lines: dict[int, Frame | None] = {}

    def alive_at(self, space: SpaceMemory, position: int) -> list[MemoryBuffer]:
        """What is in memory at a position, one row for each piece of it: first what is there throughout."""
        return [self.row(each) for each in space.lifetimes(position)]

    def identity(self, lifetime: Lifetime) -> dict[str, Any]:
        """Of a piece of memory the fields of `MemoryLifetimes`: what it is called, where it lies, and when."""
        buffers, buffer = self._memory.buffers, lifetime.buffer
        allocation = self._allocation(lifetime)
        offset = int(buffers.offset[buffer]) if buffer >= 0 else 0
        own_id = (
            str(buffers.id[buffer]) if buffer >= 0 else f"allocation {buffers.allocations[lifetime.allocation].index}"
        )
        return {
            "id": own_id,
            "name": self._memory.buffer_name(buffer) if buffer >= 0 else own_id,
            "op_key": self.op_key(self._instruction(lifetime)),
            "allocation": allocation.index if allocation is not None else None,
            "offset_bytes": offset if offset >= 0 else None,
            "bytes": lifetime.bytes,
            "start": lifetime.start,
            "end": lifetime.end,
        }

    def line(self, instruction: int) -> Frame | None:
        """The innermost user frame of an instruction; of one that XLA inserted, that of what it is for.

        A parameter has its own or none: what reads it did not make it.
        """
        if instruction not in self._lines:
            user = self.frames.of(self.stack(instruction))
            self._lines[instruction] = user[0] if user else None
        return self._lines[instruction]

    def stack(self, instruction: int) -> Stack:
        """The stack whose innermost user frame is the line of an instruction; empty where it has no line."""
        if instruction < 0:
            return ()
        module = self._memory.module
        found = module.instructions[instruction]
        if found.opcode == "parameter":
            return found.stack if self.frames.of(found.stack) else ()
        return self._shares.stack(module, found, self._rates)

    def op_key(self, instruction: int) -> str | None:
        """The key of the op that an instruction is; None where it did not run by itself."""
        return self._op_keys.get(self._memory.module.instructions[instruction].name) if instruction >= 0 else None

    def is_residual(self, buffer: int) -> bool:
        """Whether the forward pass made what is in a buffer, or in its memory later, and the backward pass reads it."""
        memory = self._memory
        phases = memory.phases
        for each in (buffer, *memory.holders.get(buffer, ())):
            instruction = int(memory.buffers.instruction[each])
            if instruction < 0 or phases[instruction] != Phase.FORWARD:
                continue
            if any(phases[reader] in _AFTER_FORWARD for reader in memory.readers(each)):
                return True
        return False

    def last_reader(self, buffer: int) -> int:
        """Row of the instruction that reads what is in a buffer, or in its memory later, last; -1 where none does."""
        memory = self._memory
        time = memory.order.time
        readers = (
            max(memory.readers(each), key=lambda row: int(time[row]), default=-1)
            for each in (buffer, *memory.holders.get(buffer, ()))
        )
        return max(readers, key=lambda row: int(time[row]) if row >= 0 else -1)

    def _key(self, instruction: int, buffer: int, allocation: Allocation | None) -> str:
        if instruction < 0:
            return digest(self._program_key, "allocation", allocation.index if allocation is not None else -1)
        module = self._memory.module
        of_instruction = self._centre.instruction_key(
            self._program_key, module, module.instructions[instruction], self._rates
        )
        return digest(of_instruction, *self._memory.buffers.shape_index[buffer])

    def _allocation(self, lifetime: Lifetime) -> Allocation | None:
        return self._memory.buffers.allocations[lifetime.allocation] if lifetime.allocation >= 0 else None

    def _instruction(self, lifetime: Lifetime) -> int:
        return int(self._memory.buffers.instruction[lifetime.buffer]) if lifetime.buffer >= 0 else -1

    def row(self, lifetime: Lifetime) -> MemoryBuffer:
        """The row of a piece of memory."""
        memory, buffer = self._memory, lifetime.buffer
        at = self._instruction(lifetime)
        allocation = self._allocation(lifetime)
        instruction: Instruction | None = memory.module.instructions[at] if at >= 0 else None
        shape = memory.shape(buffer) if buffer >= 0 else None
        last = -1 if lifetime.is_fixed else self.last_reader(buffer)
        frame, last_place = self.line(at), self.frames.place_fields(self.line(last))
        reader = memory.module.instructions[last] if last >= 0 else None
        return MemoryBuffer(
            **self.identity(lifetime),
            key=self._key(at, buffer, allocation),
            line_key=self._centre.line_key(frame) if frame is not None else None,
            category=category_of(allocation),
            unpadded_bytes=lifetime.unpadded_bytes,
            shape=shape_with_layout(shape) if shape is not None else "",
            element_type=shape.element_type if shape is not None else "",
            op_name=instruction.op_name if instruction is not None else "",
            opcode=instruction.opcode if instruction is not None else "",
            **self.frames.place_fields(frame),
            function=frame.function or None if frame is not None else None,
            is_residual=not lifetime.is_fixed and self.is_residual(buffer),
            allocation_kind=_kind(allocation),
            last_op=reader.name if reader is not None else None,
            last_primitive=primitive_of(memory.module, reader) if reader is not None else "",
            last_path=last_place["path"],
            last_line=last_place["line"],
            primitive=primitive_of(memory.module, instruction) if instruction is not None else "",
            phase=PHASE_NAMES[memory.phases[at]]
            if instruction is not None and instruction.opcode != "parameter"
            else None,
        )


def put_together(rows: Iterable[MemoryBuffer]) -> list[MemoryBuffer]:
    """Rows with those below `SMALL_BYTES` of one category put together, at the place of the first of them."""
    kept: list[MemoryBuffer | BufferCategory] = []
    small: dict[BufferCategory, list[MemoryBuffer]] = {}
    for row in rows:
        if row.bytes >= SMALL_BYTES:
            kept.append(row)
            continue
        if row.category not in small:
            small[row.category] = []
            kept.append(row.category)
        small[row.category].append(row)
    return [_together(small[each]) if isinstance(each, str) else each for each in kept]


def _kind(allocation: Allocation | None) -> str:
    if allocation is None:
        return "temporary"
    uses = (
        (allocation.is_parameter, f"argument {allocation.parameter_number}"),
        (allocation.is_live_out, "output"),
        (allocation.is_constant, "constant"),
        (allocation.is_thread_local, "thread-local"),
    )
    return ", ".join(text for applies, text in uses if applies) or "temporary"


def _together(rows: Sequence[MemoryBuffer]) -> MemoryBuffer:
    first = rows[0]
    if len(rows) == 1:
        return first
    return MemoryBuffer(
        key=digest(first.category),
        id=f"small {first.category}",
        category=first.category,
        bytes=sum(row.bytes for row in rows),
        unpadded_bytes=sum(row.unpadded_bytes for row in rows),
        start=min(row.start for row in rows),
        end=max(row.end for row in rows),
        is_residual=all(row.is_residual for row in rows),
        allocation_kind=first.category,
        count=len(rows),
    )
