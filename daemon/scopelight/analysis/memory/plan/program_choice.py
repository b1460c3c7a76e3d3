"""Which programs of a profile may be shown, and the one that is."""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.analysis.memory.plan.program_memory import ProgramMemory, planned_buffers, space_basis, space_peaks
from scopelight.analysis.memory.plan.records import MemoryModule, MemorySpaceChoice
from scopelight.analysis.options import OptionError
from scopelight.analysis.totals.centre import Centre, centre_of
from scopelight.analysis.totals.frames import LineOptions
from scopelight.findings import Finding, warning
from scopelight.formats.errors import FormatError
from scopelight.model.devices.compiled_for import main_device
from scopelight.model.profile import Profile
from scopelight.phrase import Phrase
from scopelight.program.hlo.memory_spaces import MemorySpaces
from scopelight.program.hlo.nouns import HloModule
from scopelight.program.memory.trace_choice import has_untraced, memory_spaces
from scopelight.program.stored import StoredProgram

_MOST_LISTED = 50
"""Of the programs of a profile, where one was asked for that it does not hold."""


@attrs.frozen(eq=False, repr=False)
class ProgramChoice:
    """The programs of a profile, largest peak first, and by their ids which stored program each of them is.

    ``failures`` says why the buffers of some cannot be read.
    """

    modules: Sequence[MemoryModule]
    stored: Mapping[str, StoredProgram]
    failures: Mapping[str, str]

    @property
    def findings(self) -> Sequence[Finding]:
        """What is wrong with programs, each problem once."""
        return [warning("program-unreadable", problem=each) for each in dict.fromkeys(self.failures.values())]

    def find(self, name: str | None) -> MemoryModule | None:
        """The one that people mean: by its id, as it is listed, or by its name; of several of a name the first.

        Without a name the first of all, None where there is none. Raises `OptionError` for a name that there is not.
        """
        if name is None:
            return self.modules[0] if self.modules else None
        for is_meant in (
            lambda each: each.program_id == name,
            lambda each: each.label == name,
            lambda each: each.name == name,
        ):
            found = next(filter(is_meant, self.modules), None)
            if found is not None:
                return found
        known = ", ".join(each.label for each in self.modules[:_MOST_LISTED]) or Phrase("none")
        if (rest := len(self.modules) - _MOST_LISTED) > 0:
            known = Phrase("{names} and {rest} more", names=known, rest=rest)
        raise OptionError(
            "program", Phrase("The profile holds no program {name}: there is {known}.", name=name, known=known)
        )


def program_choice(profile: Profile, line_options: LineOptions | None = None) -> ProgramChoice:
    """Look at the buffers of every program: their peaks are what programs are ordered by."""
    centre, spaces = centre_of(profile, line_options), main_device(profile).memory_spaces
    modules: list[MemoryModule] = []
    stored: dict[str, StoredProgram] = {}
    failures: dict[str, str] = {}
    for program in profile.programs:
        key = centre.program_key(program.program_id, program.name)
        ops = tuple(dict.fromkeys(op_keys(profile, centre, program.program_id).values()))
        program_id = _free(program.program_id or program.name, stored)
        stored[program_id] = program
        try:
            modules.append(_module(program, program_id, spaces, built_module(profile, program), key, ops))
        except FormatError as error:
            failures[program_id] = error.sentence
            modules.append(MemoryModule(key, program.name, program_id, None, None, (), ops))
    modules.sort(key=lambda each: -1 if each.peak_bytes is None else each.peak_bytes, reverse=True)
    return ProgramChoice(modules, stored, failures)


def load_program(profile: Profile, program: StoredProgram) -> ProgramMemory:
    """The memory of a program. Raises ``FormatError`` where it cannot be read."""
    return ProgramMemory(program.load(built_module(profile, program)))


def op_keys(profile: Profile, centre: Centre, program_id: str) -> Mapping[str, str]:
    """The keys of the ops of a program that ran, by the names of their instructions."""
    programs = profile.executions.programs
    ops = profile.executions.ops
    return {
        ops[row].name: key
        for row, key in (centre.op_keys.items() if centre.static is None else ())
        if ops[row].program >= 0 and programs[ops[row].program].program_id == program_id
    }


def built_module(profile: Profile, program: StoredProgram) -> HloModule | None:
    """The instructions of a program where they were read already: those of what ran were."""
    if not program.program_id:
        return None
    return next((each for each in profile.modules if each.program_id == program.program_id), None)


def _module(
    program: StoredProgram,
    program_id: str,
    spaces: MemorySpaces,
    built: HloModule | None,
    key: str,
    ops: tuple[str, ...],
) -> MemoryModule:
    buffers = program.buffers()
    if buffers is None or has_untraced(buffers):
        buffers = planned_buffers(program.load(built))
    peaks = space_peaks(buffers)
    return MemoryModule(
        key=key,
        op_keys=ops,
        name=program.name,
        program_id=program_id,
        peak_bytes=peaks[0],
        basis=space_basis(buffers, 0),
        memory_spaces=tuple(
            MemorySpaceChoice(number, spaces.words(number), peaks[number]) for number in memory_spaces(buffers)
        ),
    )


def _free(wanted: str, taken: Mapping[str, object]) -> str:
    number = 2
    found = wanted
    while found in taken:
        found = f"{wanted} #{number}"
        number += 1
    return found
