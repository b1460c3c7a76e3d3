"""A program that did not run, as if it had run once in no time: what it computes is known."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.model.devices.compiled_for import compiled_for
from scopelight.model.executions import Executions, Op, Program
from scopelight.program.hlo.calls import runs_of_computations
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import HloModule

_FREE = frozenset(
    (
        *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "add-dependency"),
        *("opt-barrier", "partition-id", "replica-id"),
    )
)
"""Opcodes that nothing is run for."""


@attrs.frozen(eq=False, repr=False)
class StaticProgram:
    """What would run of compiled programs: one execution of 0 ps for each instruction, branches all of them.

    ``runs`` is how often each of `Executions.ops` runs in one run of its program. ``uncounted_loops`` are the loops
    whose count is not known: what is in them is taken to run once.
    """

    executions: Executions
    runs: Sequence[int]
    uncounted_loops: Sequence[str]


def static_program(modules: Sequence[HloModule]) -> StaticProgram:
    """What would run of ``modules``."""
    ops: list[Op] = []
    runs: list[int] = []
    uncounted: list[str] = []
    for row, module in enumerate(modules):
        counts = runs_of_computations(module)
        uncounted.extend(counts.uncounted_loops)
        for computation, count in counts.runs.items():
            for each in map(module.instructions.__getitem__, module.computations[computation].instructions):
                if each.opcode not in _FREE:
                    ops.append(Op(each.name, category_of(module, each), row, module, each))
                    runs.append(count)
    nothing = np.zeros(len(ops), dtype=np.int64)
    rows = nothing.astype(np.int32)
    executions = Executions(
        op=np.arange(len(ops), dtype=np.int32),
        device=rows,
        run=rows - 1,
        lane=rows,
        start_ps=nothing,
        duration_ps=nothing,
        self_ps=nothing,
        ops=tuple(ops),
        devices=(compiled_for(modules),),
        programs=tuple(Program(module.program_id, module.name) for module in modules),
        lanes=("",),
    )
    return StaticProgram(executions, runs, uncounted)
