"""A program that did not run, as if it had run once in no time: what it computes is known."""

from collections.abc import Iterator, Mapping, Sequence

import attrs
import numpy as np

from scopelight.model.devices.compiled_for import compiled_for
from scopelight.model.executions import Executions, Op, Program
from scopelight.program.hlo.category import category_of
from scopelight.program.hlo.nouns import HloModule

_FREE = frozenset(
    (
        *("parameter", "constant", "tuple", "get-tuple-element", "bitcast", "after-all", "add-dependency"),
        *("opt-barrier", "partition-id", "replica-id"),
    )
)
"""Opcodes that nothing is run for."""
_RUNNING_OTHERS = frozenset(("while", "conditional", "call"))
"""Opcodes whose called computations' instructions run by themselves."""
_MOST_RUNS = 10**12
"""An instruction runs no more often in one run of a program: a count that leads to more is not believed."""


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
        for computation, count in _Counts(module, uncounted).of_computations.items():
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


class _Counts:
    """How often the computations of one module run that run by themselves."""

    def __init__(self, module: HloModule, uncounted: list[str]) -> None:
        self._module = module
        self._uncounted = uncounted
        order = self._callers_first()
        place = {computation: row for row, computation in enumerate(order)}
        counts = dict.fromkeys(order, 0)
        counts[module.entry] = 1
        for computation in order:
            for called, times in self._calls(computation, counts[computation]):
                # A computation that calls one before it calls itself: only a hostile file has it.
                if place[called] > place[computation]:
                    counts[called] = min(_MOST_RUNS, counts[called] + times)
        self.of_computations: Mapping[int, int] = counts

    def _calls(self, computation: int, count: int) -> Iterator[tuple[int, int]]:
        """What a computation calls, and how often in all of its ``count`` runs."""
        for row in self._module.computations[computation].instructions:
            each = self._module.instructions[row]
            if each.opcode not in _RUNNING_OTHERS:
                continue
            trips = each.trip_count if each.opcode == "while" else 1
            is_counted = trips is not None and count * trips < _MOST_RUNS
            if trips is None or not is_counted:
                self._uncounted.append(each.name)
                trips = 1
            for place, called in enumerate(each.called):
                # The condition of a loop, which is named second, is asked once more than the body runs.
                once_more = int(is_counted and each.opcode == "while" and place == 1)
                yield called, count * (trips + once_more)

    def _callers_first(self) -> Sequence[int]:
        """The computations that run by themselves, each before those that it calls."""
        finished: list[int] = []
        seen = {self._module.entry}
        path = [(self._module.entry, self._callees(self._module.entry))]
        while path:
            computation, callees = path[-1]
            callee = next((each for each in callees if each not in seen), None)
            if callee is None:
                finished.append(computation)
                path.pop()
            else:
                seen.add(callee)
                path.append((callee, self._callees(callee)))
        return finished[::-1]

    def _callees(self, computation: int) -> Iterator[int]:
        for row in self._module.computations[computation].instructions:
            each = self._module.instructions[row]
            if each.opcode in _RUNNING_OTHERS:
                yield from each.called
