"""Donation: arguments that could give their memory to results of the same shapes, which have memory of their own."""

from collections.abc import Collection, Iterator

from scopelight.analysis.advice.observed import sources_of
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.advice.syntax.replaced import compiled_function
from scopelight.analysis.memory.fit.planned import PlannedProgram
from scopelight.analysis.memory.plan.program_memory import ProgramMemory
from scopelight.analysis.memory.plan.reusable_arguments import reusable_arguments
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.program.hlo.frames import Frame


def donation(program: PlannedProgram) -> Iterator[Advice]:
    """Of every such argument at once: results lie in them, and their own memory is not needed.

    At best: a compiler lays other arrays where results come to lie only later, which then need another place.
    """
    memory = program.memory
    sizes = {
        each.parameter_number: each.bytes
        for each in memory.buffers.allocations
        if each.is_parameter and each.memory_space == 0
    }
    of_results = {
        row: each.bytes
        for row, each in enumerate(memory.buffers.allocations)
        if each.is_live_out and not each.is_parameter and each.memory_space == 0
    }
    results_bytes = sum(of_results.values())
    kept = [
        each for each in reusable_arguments(memory.module, memory.schedule) if sizes.get(each.alias.parameter_number)
    ]
    function = compiled_function(memory.module, program.centre.user_files, sources_of(program.centre))
    replaced = function.replaced if function is not None else frozenset()
    # Where the text proves that nothing needs them, these alone; else it is for the user to know.
    chosen = [each for each in kept if each.argument in replaced] or kept
    donated_bytes = sum(sizes[each.alias.parameter_number] for each in chosen)
    if not chosen or not min(donated_bytes, results_bytes):
        return
    arguments = tuple(dict.fromkeys(each.argument for each in chosen))
    is_proven = all(each in replaced for each in arguments)
    yield program.advice(
        "donate-to-fit",
        min(donated_bytes, results_bytes),
        Frame(function.jit.path, function.jit.line, function.definition.name) if function is not None else None,
        function.donate(arguments) if function is not None and is_proven else None,
        # Whether anything needs them after the call is for the user to know.
        confidence="medium" if is_proven else "low",
        function=function_of_program(memory.module.name),
        arguments=arguments,
        replaced=is_proven,
        holds_others=_hold_others(memory, of_results),
    )


def _hold_others(memory: ProgramMemory, of_results: Collection[int]) -> bool:
    """Whether values lie in the results' memory that are none: more of them than there are results."""
    within = [row for row in memory.buffers.allocation.tolist() if row in of_results]
    return len(within) > len(of_results)
