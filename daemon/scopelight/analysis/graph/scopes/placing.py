"""Placing: the scope that each op of a program is in."""

from collections.abc import Mapping, Sequence

from scopelight.analysis.graph.programs import GraphedProgram
from scopelight.analysis.ops.scopes import OPTIMIZER, scope_of
from scopelight.analysis.totals.names import scope_and_primitive
from scopelight.program.phases.phase import Phase

Scope = tuple[str, ...]
UPDATING: Scope = (OPTIMIZER,)
"""Where ops of the optimizer are that the script has put in no scope."""


def scopes_of(program: GraphedProgram, rows: Sequence[int]) -> Mapping[int, Scope]:
    """By row of an op its scope: its own, else that of the first that reads its result, else of what it reads first.

    ``rows`` are in the order of the program. What has neither is in none; of it ops of the optimizer beside others
    are in `UPDATING`.
    """
    graph = program.flow
    found: dict[int, Scope] = {}
    for row in rows:
        each = program.instruction(row)
        if any(scope_and_primitive(each.op_name)):
            again = program.phase_of(row) != Phase.FORWARD
            found[row] = scope_of(each.op_name, computes_again=again)
    for row in reversed(rows):
        if row not in found:
            reader = next((found[each] for each in graph.consumers(row) if each in found), None)
            if reader is not None:
                found[row] = reader
    for row in rows:
        if row not in found:
            found[row] = next((found[each] for each in graph.producers(row) if each in found), ())
    updating = [row for row in rows if not found[row] and program.phase_of(row) == Phase.OPTIMIZER]
    if 1 < len(updating) < len(rows):
        found.update(dict.fromkeys(updating, UPDATING))
    return found
