"""Missing donation: a program makes new arrays beside old ones of the same sizes, which nothing needs any more."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import attrs

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.syntax.jits import Definition, jits_of, position_of
from scopelight.analysis.advice.syntax.rebinding import rebound_arguments
from scopelight.analysis.memory.plan.program_memory import ProgramMemory, space_peaks
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.findings import Action
from scopelight.formats.errors import FormatError
from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction, Shape
from scopelight.program.hlo.sizes import byte_size
from scopelight.program.memory.buffers import OutputAlias
from scopelight.program.memory.liveness import estimated_buffers
from scopelight.program.stored import LoadedProgram

_LEAST: Final = 0.05
"""Of the program's peak."""
_LEAST_BYTES: Final = 2**16
"""What less would change nothing that anybody sees."""


class _Kept(NamedTuple):
    """An argument that is kept although a result of its size is made: its name in the code, its size, and how that
    result would lie in it."""

    name: str
    bytes: int
    alias: OutputAlias

    @property
    def argument(self) -> str:
        """The argument of the function that it is, or is in."""
        return self.name.partition("[")[0].partition(".")[0]


def missing_donation(observed: Observed) -> Iterator[Advice]:
    """An array that may be reused takes its place once: of all that every call rebinds.

    At best the program then needs what the values in it need where each lies in memory for as long as it is read, and
    results lie in the arguments that they replace.
    """
    for stored in observed.step_programs:
        try:
            loaded = stored.load()
            memory = ProgramMemory(loaded).space(0)
        except FormatError:
            continue
        kept = _kept(loaded)
        if sum(each.bytes for each in kept) < _LEAST * memory.peak_bytes:
            continue
        yield from _of_program(observed, loaded, kept, memory.peak_bytes)


def _of_program(observed: Observed, loaded: LoadedProgram, kept: Sequence[_Kept], peak_bytes: int) -> Iterator[Advice]:
    module = loaded.module
    trees = [(path, tree) for path in observed.user_files if (tree := observed.sources.tree(path)) is not None]
    jits = [
        (each, each.definition)
        for each in jits_of(function_of_program(module.name), trees)
        if each.definition is not None and _is_traced_from(module, each.path, each.definition)
    ]
    # Of several places it is not known which one made the program.
    if len(jits) != 1 or jits[0][0].names is None:
        return
    jit, definition = jits[0]
    arguments = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]
    rebound = rebound_arguments([tree for _, tree in trees], jits[0][0].names, arguments)
    saved = [each for each in kept if each.argument in rebound]
    donated_bytes = sum(each.bytes for each in saved)
    saved_bytes = min(donated_bytes, peak_bytes - _peak_with(loaded, saved))
    if donated_bytes < _LEAST * peak_bytes or saved_bytes < _LEAST_BYTES:
        return
    donated = tuple(each for each in arguments if any(one.argument == each for one in saved))
    yield observed.advice(
        "missing-donation",
        Frame(jit.path, jit.line, definition.name),
        saving_bytes=saved_bytes,
        basis="bytes",
        is_by_text=True,
        confidence="high",
        evidence=[observed.centre.program_key(module.program_id, module.name)],
        action=_donate(definition, donated),
        function=function_of_program(module.name),
        names=tuple(each.name for each in saved),
        arguments=donated,
        donated_bytes=donated_bytes,
        peak_bytes=peak_bytes,
    )


def _peak_with(loaded: LoadedProgram, donated: Sequence[_Kept]) -> int:
    """What the program would keep at its peak if these arguments were given up for results."""
    schedule = attrs.evolve(loaded.schedule, aliases=(*loaded.schedule.aliases, *(each.alias for each in donated)))
    return space_peaks(estimated_buffers(loaded.module, schedule)).get(0, 0)


def _is_traced_from(module: HloModule, path: str, definition: Definition) -> bool:
    """Whether any of a program comes from a function."""
    last = definition.end_lineno or definition.lineno
    return any(
        frame.path == path and definition.lineno <= frame.line <= last
        for instruction in module.instructions
        for frame in instruction.stack
    )


def _donate(definition: Definition, arguments: Sequence[str]) -> Action:
    positions = [position_of(definition, each) for each in arguments]
    return Action("donate-arguments", {"positions": tuple(each for each in positions if each is not None)})


def _kept(loaded: LoadedProgram) -> Sequence[_Kept]:
    """The arguments that a result could have reused, each result for one of them."""
    module, aliases = loaded.module, loaded.schedule.aliases
    entry = module.computations[module.entry]
    parameters = [module.instructions[row] for row in entry.instructions]
    parameters = sorted(
        (each for each in parameters if each.opcode == "parameter"), key=lambda each: each.parameter_number or 0
    )
    result = module.instructions[entry.root].shape
    reused = {result.array_at(each.output_index) for each in aliases}
    free: dict[tuple[str, tuple[int, ...]], list[tuple[int, ...]]] = {}
    for row, (path, shape) in enumerate(zip(result.array_paths, result.arrays, strict=True)):
        if row not in reused:
            free.setdefault(_size_of(shape), []).append(tuple(path))
    given_up = {each.parameter_number for each in aliases} | set(loaded.schedule.donors)
    found = []
    for each in parameters:
        size = _size_of(each.shape)
        number = each.parameter_number
        if number is None or number in given_up or each.shape.tuple_shapes or not free.get(size) or not _has_name(each):
            continue
        alias = OutputAlias(free[size].pop(0), number, ())
        found.append(_Kept(each.op_name, byte_size(each.shape), alias))
    return found


def _size_of(shape: Shape) -> tuple[str, tuple[int, ...]]:
    return shape.element_type, shape.dimensions


def _has_name(parameter: Instruction) -> bool:
    """Whether it has a name of the code: newer versions of jax write ``args[0]`` of what a function closes over."""
    return bool(parameter.op_name) and not parameter.op_name.startswith("args[")
