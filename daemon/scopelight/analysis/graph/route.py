"""The way between two ops: along what they hand on, else against it as well."""

from collections.abc import Callable, Sequence

import attrs

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.program.graph.columns import program_graph
from scopelight.program.graph.glue import OPENED


@attrs.frozen(slots=True)
class Route:
    """The rows of the ops on the shortest way, both ends included; empty where there is none.

    ``is_directed``: each hands something to the next.
    """

    rows: tuple[int, ...]
    is_directed: bool


def route_between(program: GraphedProgram, start: int, end: int) -> Route:
    """The shortest way from an op to another, through loops, branches and calls.

    Fusions are passed as a whole, but those that an end lies in.
    """
    if start == end:
        return Route((start,), is_directed=True)
    ends = {start, end}
    around = {*program.callers_of(start), *program.callers_of(end)}
    opened = {
        row
        for row, each in enumerate(program.module.instructions)
        if (each.opcode in OPENED and each.opcode != "fusion" and each.computation in program.running) or row in around
    } - ends
    computations = program.running | {program.instruction(row).computation for row in (start, end, *around)}
    computations |= {called for row in opened for called in program.instruction(row).called}
    graph = program_graph(program.module, opened, computations)
    directed = _shortest(graph.consumers, start, end) or _shortest(graph.producers, start, end)
    if directed:
        return Route(directed, is_directed=True)

    def both(row: int) -> Sequence[int]:
        return [*graph.consumers(row), *graph.producers(row)]

    return Route(_shortest(both, start, end), is_directed=False)


def _shortest(following: Callable[[int], Sequence[int]], start: int, end: int) -> tuple[int, ...]:
    before = {start: -1}
    level = [start]
    while level and end not in before:
        reached: list[int] = []
        for row in level:
            for each in following(row):
                if each not in before:
                    before[each] = row
                    reached.append(each)
        level = reached
    if end not in before:
        return ()
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(way[::-1])
