"""What is in memory at the peak of a program, or of a snapshot, by the stack that made it."""

from collections.abc import Sequence

from scopelight.analysis.flame.parts import StackParts
from scopelight.analysis.memory.plan.viewer import viewed_space, why_empty
from scopelight.analysis.memory.plan.views import chosen_program, read_program
from scopelight.analysis.memory.profile.snapshot_limits import snapshot_limits
from scopelight.analysis.subject import Subject
from scopelight.findings import Finding
from scopelight.formats.errors import FormatError
from scopelight.model.memory.recorded import LiveMemory
from scopelight.model.profile import Profile
from scopelight.program.phases.phase import Phase


def add_memory(parts: StackParts, subject: Subject) -> Finding | None:
    """Add the buffers in main memory at the peak of the program with the largest one.

    A profile without programs has what its largest snapshot found alive. What no user line made has an empty stack.
    Returns why there is nothing; None where there is something.
    """
    choice, module = chosen_program(subject, None)
    viewed = read_program(subject, choice, module)
    alive = _largest_snapshot(subject.profile) if module is None else ()
    for each in alive:
        parts.of(each.stack).add(None, Phase.OTHER, 0, each.bytes or 0, None)
    if viewed is not None:
        phases, of_buffer = viewed.memory.phases, viewed.memory.buffers.instruction
        space = viewed_space(viewed, None)
        for lifetime in space.lifetimes(space.peak_position):
            instruction = int(of_buffer[lifetime.buffer]) if lifetime.buffer >= 0 else -1
            phase = phases[instruction] if instruction >= 0 else Phase.OTHER
            parts.of(viewed.rows.stack(instruction)).add(None, phase, 0, lifetime.bytes, None)
    return None if alive or viewed is not None else why_empty(subject.profile, choice, module)


def _largest_snapshot(profile: Profile) -> Sequence[LiveMemory]:
    """What the snapshot of the most bytes holds; nothing where none can be read."""
    limits = snapshot_limits(profile.memory)
    found: list[Sequence[LiveMemory]] = []
    for snapshot in profile.memory.snapshots:
        try:
            found.append(limits.without_the_impossible(snapshot.read()))
        except FormatError:
            # The memory profile says what is wrong with it.
            continue
    return max(found, key=lambda live: sum(each.bytes or 0 for each in live), default=())
