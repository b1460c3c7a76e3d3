"""The memory viewer: what a compiled program keeps in memory, position by position, and what is there at the peak."""

from collections.abc import Iterator

import attrs

from scopelight.analysis.memory.plan.buffer_rows import SMALL_BYTES, BufferRows, put_together
from scopelight.analysis.memory.plan.execution_order import execution_curve
from scopelight.analysis.memory.plan.program_choice import (
    ProgramChoice,
    load_program,
    op_keys,
)
from scopelight.analysis.memory.plan.program_memory import ProgramMemory, SpaceMemory
from scopelight.analysis.memory.plan.records import (
    MemoryLifetimes,
    MemoryModule,
    MemoryTimeline,
    MemoryViewerRecord,
)
from scopelight.analysis.memory.plan.totals import Capacity, main_memory_capacity, memory_totals
from scopelight.analysis.missing_programs import why_no_program
from scopelight.analysis.options import OptionError
from scopelight.analysis.totals.centre import centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, show_view, warning
from scopelight.model.devices.compiled_for import main_device
from scopelight.model.executions import Device
from scopelight.model.profile import Profile
from scopelight.phrase import Phrase


@attrs.frozen(eq=False, repr=False)
class ViewedProgram:
    """A program whose memory can be asked about, with the rows of its buffers."""

    module: MemoryModule
    memory: ProgramMemory
    rows: BufferRows
    device: Device
    """What it is for."""
    capacity: Capacity | None


def viewed_program(
    profile: Profile, choice: ProgramChoice, module: MemoryModule, line_options: LineOptions | None = None
) -> ViewedProgram:
    """Read a program that the choice has. Raises ``FormatError`` where it cannot be read."""
    stored = choice.stored[module.program_id]
    memory = load_program(profile, stored)
    device = main_device(profile)
    centre = centre_of(profile, line_options)
    rows = BufferRows(memory, centre, device, module.key, op_keys(profile, centre, stored.program_id))
    return ViewedProgram(module, memory, rows, device, main_memory_capacity(profile))


def viewed_space(viewed: ViewedProgram, memory_space: int | None) -> SpaceMemory:
    """One of a program's memory spaces. Raises `OptionError` where it has nothing in such a one."""
    number = memory_space or 0
    if number not in {each.number for each in viewed.module.memory_spaces}:
        known = ", ".join(f"{each.number} ({each.name})" for each in viewed.module.memory_spaces)
        raise OptionError(
            "memory_space",
            Phrase(
                "{program} has nothing in memory space {number}: it has {known}.",
                program=viewed.module.name,
                number=number,
                known=known,
            ),
        )
    return viewed.memory.space(number)


def memory_viewer_record(
    profile: Profile, choice: ProgramChoice, viewed: ViewedProgram, memory_space: int | None
) -> MemoryViewerRecord:
    """The record of a program that was read. Raises ``LookupError`` as `viewed_space` does."""
    space = viewed_space(viewed, memory_space)
    position = space.peak_position
    return MemoryViewerRecord(
        module=viewed.module.name,
        program_id=viewed.module.program_id,
        modules=tuple(choice.modules),
        memory_space=space.number,
        memory_space_name=viewed.device.memory_spaces.words(space.number),
        basis=space.basis,
        peak_bytes=space.peak_bytes,
        peak_unpadded_bytes=int(space.unpadded_bytes[position + 1]),
        peak_position=position if position >= 0 else None,
        totals=memory_totals(viewed.memory.buffers, space, viewed.capacity if space.number == 0 else None),
        timeline=_timeline(viewed.memory, space),
        execution=execution_curve(viewed.memory, space),
        buffers=tuple(put_together(viewed.rows.alive_at(space, position))),
        lifetimes=_lifetimes(viewed, space),
        small_bytes=SMALL_BYTES,
        findings=(*_of_profile(profile, choice), *_of_space(viewed, space)),
    )


def empty_memory_viewer(profile: Profile, choice: ProgramChoice, module: MemoryModule | None) -> MemoryViewerRecord:
    """The record where there is no program, or one that cannot be read: it says why."""
    return MemoryViewerRecord(
        module=module.name if module is not None else None,
        program_id=module.program_id if module is not None else None,
        modules=tuple(choice.modules),
        memory_space=0,
        memory_space_name=main_device(profile).memory_spaces.words(0),
        small_bytes=SMALL_BYTES,
        findings=(why_empty(profile, choice, module), *_of_profile(profile, choice)),
    )


def why_empty(profile: Profile, choice: ProgramChoice, module: MemoryModule | None) -> Finding:
    """Why nothing is known of the memory of ``module``, or of any program."""
    if module is not None:
        return empty("memory-unreadable", program=module.name, problem=choice.failures.get(module.program_id))
    if profile.silent_runtime == "TensorFlow" and not profile.is_cut_off:
        return empty("memory-of-tensorflow", show_view("memory-profile"))
    return why_no_program(profile) or empty("memory-without-programs", PROFILE_SCRIPT)


def _of_profile(profile: Profile, choice: ProgramChoice) -> Iterator[Finding]:
    yield from profile.findings
    yield from profile.capture.findings if profile.capture else ()
    yield from choice.findings


def _of_space(viewed: ViewedProgram, space: SpaceMemory) -> Iterator[Finding]:
    if not space.peak_bytes:
        name = viewed.device.memory_spaces.words(space.number)
        yield empty("nothing-in-space", program=viewed.module.name, memory_space=name)
    if viewed.memory.buffers.basis == "estimated":
        yield warning("buffers-estimated")
    elif space.basis == "estimated":
        yield warning("lifetimes-estimated")
    if space.unplanned:
        yield warning("allocations-without-lifetime", allocations=space.unplanned)


def _timeline(memory: ProgramMemory, space: SpaceMemory) -> MemoryTimeline:
    buffers = space.trace.buffer.tolist() if space.trace is not None else []
    instructions = memory.module.instructions
    makers = [int(memory.buffers.instruction[each]) for each in buffers]
    return MemoryTimeline(
        bytes=tuple(space.bytes.tolist()),
        unpadded_bytes=tuple(space.unpadded_bytes.tolist()),
        ops=(*(instructions[row].name if row >= 0 else "" for row in makers), ""),
    )


def _lifetimes(viewed: ViewedProgram, space: SpaceMemory) -> MemoryLifetimes:
    rows = [viewed.rows.identity(each).values() for each in space.lifetimes()]
    return MemoryLifetimes(*zip(*rows, strict=True))
