"""Which computations of a program run by themselves, how often in one run of it, and in which order they call."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from scopelight.program.hlo.nouns import HloModule, Instruction

RUNNING_OTHERS = frozenset(("while", "conditional", "call"))
"""Opcodes whose called computations' instructions run by themselves."""
_MOST_RUNS = 10**12
"""An instruction runs no more often in one run of a program: a count that leads to more is not believed."""


@attrs.frozen(eq=False, repr=False)
class Runs:
    """How often computations run in one run of their program, by their rows, callers before what they call.

    ``uncounted_loops`` are the loops whose count is not known: what is in them is taken to run once.
    """

    runs: Mapping[int, int]
    uncounted_loops: Sequence[str]


def callers_first(module: HloModule) -> Sequence[int]:
    """The computations that run by themselves, each before those that it calls."""
    finished: list[int] = []
    seen = {module.entry}
    path = [(module.entry, _callees(module, module.entry))]
    while path:
        computation, callees = path[-1]
        callee = next((each for each in callees if each not in seen), None)
        if callee is None:
            finished.append(computation)
            path.pop()
        else:
            seen.add(callee)
            path.append((callee, _callees(module, callee)))
    return finished[::-1]


def runs_of_computations(module: HloModule, taken: Callable[[Instruction], int] | None = None) -> Runs:
    """Those of a module. ``taken`` says which computation of a branch runs; without it all of them do."""
    order = callers_first(module)
    place = {computation: row for row, computation in enumerate(order)}
    counts = dict.fromkeys(order, 0)
    counts[module.entry] = 1
    uncounted: list[str] = []
    for computation in order:
        for called, times in _calls(module, computation, counts[computation], uncounted, taken):
            # A computation that calls one before it calls itself: only a hostile file has it.
            if place[called] > place[computation]:
                counts[called] = min(_MOST_RUNS, counts[called] + times)
    return Runs(counts, uncounted)


def _calls(
    module: HloModule,
    computation: int,
    count: int,
    uncounted: list[str],
    taken: Callable[[Instruction], int] | None,
) -> Iterator[tuple[int, int]]:
    """What a computation calls, and how often in all of its ``count`` runs."""
    for row in module.computations[computation].instructions:
        each = module.instructions[row]
        if each.opcode not in RUNNING_OTHERS:
            continue
        if each.opcode == "conditional" and taken is not None:
            yield taken(each), count
            continue
        trips = each.trip_count if each.opcode == "while" else 1
        is_counted = trips is not None and count * trips < _MOST_RUNS
        if trips is None or not is_counted:
            uncounted.append(each.name)
            trips = 1
        for which, called in enumerate(each.called):
            # The condition of a loop, which is named second, is asked once more than the body runs.
            once_more = int(is_counted and each.opcode == "while" and which == 1)
            yield called, count * (trips + once_more)


def _callees(module: HloModule, computation: int) -> Iterator[int]:
    for row in module.computations[computation].instructions:
        each = module.instructions[row]
        if each.opcode in RUNNING_OTHERS:
            yield from each.called
