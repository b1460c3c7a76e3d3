"""Which arguments of a compiled function each of its calls replaces, by the text of the script."""

from collections.abc import Sequence

import attrs

from scopelight.analysis.advice.syntax.jits import Definition, Jit, jits_of, position_of
from scopelight.analysis.advice.syntax.rebinding import rebound_arguments
from scopelight.analysis.advice.syntax.sources import Sources
from scopelight.analysis.totals.waiting.launching import function_of_program
from scopelight.findings import Action
from scopelight.program.hlo.nouns import HloModule


@attrs.frozen
class CompiledFunction:
    """Where the function of a program is compiled, and by its ``definition`` the names of its ``arguments``.

    ``replaced`` are those that every call rebinds, so that nothing needs their old values: none where that is not
    proven.
    """

    jit: Jit
    definition: Definition
    arguments: tuple[str, ...]
    replaced: frozenset[str]

    def donate(self, arguments: Sequence[str]) -> Action:
        """What tells the compiler that it may reuse these arguments."""
        positions = [position_of(self.definition, each) for each in arguments]
        return Action("donate-arguments", {"positions": tuple(each for each in positions if each is not None)})


def compiled_function(module: HloModule, user_files: Sequence[str], sources: Sources) -> CompiledFunction | None:
    """The function that a program was made of; None where no place, or more than one, may have made it."""
    trees = [(path, tree) for path in user_files if (tree := sources.tree(path)) is not None]
    jits = [
        (each, each.definition)
        for each in jits_of(function_of_program(module.name), trees)
        if each.definition is not None and _is_traced_from(module, each.path, each.definition)
    ]
    if len(jits) != 1:
        return None
    jit, definition = jits[0]
    arguments = tuple(each.arg for each in (*definition.args.posonlyargs, *definition.args.args))
    replaced = (
        rebound_arguments([tree for _, tree in trees], jit.names, arguments) if jit.names is not None else frozenset()
    )
    return CompiledFunction(jit, definition, arguments, replaced)


def _is_traced_from(module: HloModule, path: str, definition: Definition) -> bool:
    """Whether any of a program comes from a function."""
    last = definition.end_lineno or definition.lineno
    return any(
        frame.path == path and definition.lineno <= frame.line <= last
        for instruction in module.instructions
        for frame in instruction.stack
    )
