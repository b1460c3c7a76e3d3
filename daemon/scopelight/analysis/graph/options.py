"""Options of the view of the graph."""

from typing import Annotated

import attrs

from scopelight.analysis.graph.records import GraphLevel
from scopelight.analysis.options import DeviceOption, Option, ScopeOption


@attrs.frozen
class GraphOptions:
    """Which program, which level of it, and what is in the middle."""

    program: Annotated[
        str | None,
        Option(
            "A program by its name, its id, or both as they are listed; without it the one that took longest, and on"
            " the level of lines all of them.",
            "module",
        ),
    ] = None
    level: Annotated[
        GraphLevel | None,
        Option("Lines by phase, scopes, or the ops around one; without it lines, with an op in the middle its ops."),
    ] = None
    op: Annotated[str | None, Option("The op in the middle, by its key or its name.")] = None
    radius: Annotated[int, Option("How far from that op others are shown.", least=1, most=6)] = 2
    open: Annotated[
        tuple[str, ...],
        Option("A node to open in place, or a hub whose neighbours to follow, by its key; several are possible."),
    ] = ()
    hubs: Annotated[bool, Option("Follow all ops, also those with many neighbours.")] = False
    to: Annotated[str | None, Option("Show the way to this op, by its key or its name.")] = None
    search: Annotated[
        str | None,
        Option("Find ops by name, opcode, shape, target of a custom call, line or scope, in fusions and loops too."),
    ] = None
    memory: Annotated[
        bool, Option("Say also what is in memory when the program takes the most, which takes longer to find out.")
    ] = False
    device: DeviceOption = None
    scope: ScopeOption = None
