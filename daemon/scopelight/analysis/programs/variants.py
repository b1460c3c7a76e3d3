"""Variants: the programs that one function was compiled to, in the order in which they ran, and how they differ."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import attrs
import numpy as np

from scopelight.analysis.programs.reasons import ChangedArgument
from scopelight.analysis.totals.names import shape_text
from scopelight.formats.columns import Int64
from scopelight.model.executions import ProgramRuns
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule


class Parameter(NamedTuple):
    """An argument of a program, or an array in one: its name in the code (``params['w']``), and its shape."""

    name: str
    shape: str


@attrs.frozen(eq=False, repr=False)
class Variant:
    """One program. ``program`` is its row in ``Executions.programs``; ``first_ps`` when it first ran."""

    program: int
    program_id: str
    name: str
    first_ps: int
    parameters: Sequence[Parameter]


def parameters_of(module: HloModule) -> Sequence[Parameter]:
    """The arguments of a program in their order."""
    entry = module.computations[module.entry]
    found = [each for row in entry.instructions if (each := module.instructions[row]).opcode == "parameter"]
    found.sort(key=lambda each: each.parameter_number or 0)
    return [Parameter(each.op_name or each.name, shape_text(each.shape)) for each in found]


def families(profile: Profile) -> Mapping[str, Sequence[Variant]]:
    """By name of a program its variants that ran, the first to run first; each once where several hosts ran it."""
    first_ps = first_runs(profile.runs, len(profile.executions.programs))
    modules = {each.program_id: each for each in profile.modules if each.program_id}
    found: dict[str, dict[str, Variant]] = {}
    for row in np.argsort(first_ps, kind="stable").tolist():
        program = profile.executions.programs[row]
        if first_ps[row] == NEVER:
            continue
        module = modules.get(program.program_id)
        variant = Variant(
            row, program.program_id, program.name, int(first_ps[row]), () if module is None else parameters_of(module)
        )
        # Each host names a program that runs on several.
        found.setdefault(program.name, {}).setdefault(program.program_id or str(row), variant)
    return {name: tuple(of_name.values()) for name, of_name in found.items()}


NEVER = np.iinfo(np.int64).max


def first_runs(runs: ProgramRuns, programs: int) -> Int64:
    """By program when it first ran; `NEVER` where it did not."""
    first_ps = np.full(programs, NEVER, dtype=np.int64)
    np.minimum.at(first_ps, runs.program[runs.program >= 0], runs.start_ps[runs.program >= 0])
    return first_ps


def changes(before: Sequence[Parameter], after: Sequence[Parameter]) -> Sequence[ChangedArgument]:
    """The arguments in which two variants differ, in the order of the later one."""
    if [each.name for each in before] == [each.name for each in after]:
        # One name may be of several, as where a program has none of them.
        pairs = zip(before, after, strict=True)
        return [ChangedArgument(new.name, old.shape, new.shape) for old, new in pairs if old.shape != new.shape]
    old = {each.name: each.shape for each in before}
    new = {each.name: each.shape for each in after}
    found = [ChangedArgument(name, old.get(name), shape) for name, shape in new.items() if old.get(name) != shape]
    return [*found, *(ChangedArgument(name, shape, None) for name, shape in old.items() if name not in new)]


def nearest(variant: Variant, earlier: Sequence[Variant]) -> Sequence[ChangedArgument]:
    """How a variant differs from the one of the earlier ones that it differs least from, the last of these."""
    differing = [changes(each.parameters, variant.parameters) for each in reversed(earlier)]
    return min(differing, key=len, default=())
