"""What of the results of ops, and of lines, is in memory when a program has the most in it."""

from collections.abc import Mapping

import attrs

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.memory.plan.views import chosen_program, read_program
from scopelight.analysis.subject import Subject

MAIN_SPACE = 0


@attrs.frozen(eq=False, repr=False)
class MemoryAtPeak:
    """Bytes in the device's main memory by row of the op that made them, and by recorded path, line and phase."""

    of_row: Mapping[int, int]
    of_line: Mapping[tuple[str, int, int], int]


def memory_at_peak(subject: Subject, program: GraphedProgram) -> MemoryAtPeak | None:
    """That of a program; None where nothing is known of what it keeps in memory."""
    choice, _ = chosen_program(subject, None)
    module = next((each for each in choice.modules if each.key == program.key), None)
    viewed = read_program(subject, choice, module)
    if viewed is None:
        return None
    space = viewed.memory.space(MAIN_SPACE)
    of_row: dict[int, int] = {}
    of_line: dict[tuple[str, int, int], int] = {}
    by_name = program.module.by_name
    phases = viewed.memory.phases
    for lifetime in space.lifetimes(space.peak_position):
        if lifetime.buffer < 0:
            continue
        at = int(viewed.memory.buffers.instruction[lifetime.buffer])
        if at < 0:
            continue
        # What was read for its memory may be another copy of the program.
        each = by_name.get(viewed.memory.module.instructions[at].name)
        row = program.row_of_instruction[id(each)] if each is not None else -1
        node = int(program.graph.node[row]) if row >= 0 else -1
        if node >= 0:
            of_row[node] = of_row.get(node, 0) + lifetime.bytes
        frame = viewed.rows.line(at)
        if frame is not None:
            place = (frame.path, frame.line, int(phases[at]))
            of_line[place] = of_line.get(place, 0) + lifetime.bytes
    return MemoryAtPeak(of_row, of_line)
