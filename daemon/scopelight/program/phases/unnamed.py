"""Phase of ops without a path of names, by the ops around them.

Two kinds of ops have none. XLA makes ops of its own where it rewrites others: the gradient of max-pooling becomes a
``reduce-window`` over pairs, a running sum becomes sums of sums. And jax lowers some functions once for all their
callers (``cumsum``, ``sort``): of what is in them, the name is the last part alone, or the last few.

They take their phase from the nearest ops that have one. What a forward op reads is forward itself, for the forward
pass reads nothing that comes later; what the backward pass alone reads exists for it, though all that it reads be
forward. The optimizer reads the results of the backward pass: what lies between them belongs to the backward pass.
"""

from collections.abc import Iterable, Mapping, Sequence

from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.phases.phase import UNKNOWN, Phase

_IN_ORDER = (Phase.FORWARD, Phase.RECOMPUTE, Phase.BACKWARD, Phase.OPTIMIZER)
"""The phases in the order in which data goes through them."""
_ROOTS = ("jit(", "pmap(")
"""How the names of jax begin."""
_DIVIDED = frozenset(("fusion", "call", "async-start"))
_Rows = Mapping[int, Sequence[int]]


def unnamed(module: HloModule) -> frozenset[str]:
    """The names of a module that have no path from the program's root: empty, a parameter's, or their last parts."""
    names = {each.op_name for each in module.instructions}
    has_root = any(name.startswith(_ROOTS) for name in names)
    return frozenset(
        name for name in names if "/" not in name.lstrip("/") or (has_root and not name.startswith(_ROOTS))
    )


def place_unnamed(module: HloModule, phases: list[int]) -> None:
    """Give the rows of ``phases`` that are `UNKNOWN` the phase of the ops that read them, else of those they read.

    What neither tells has the phase of the loop, branch or op that calls it.
    """
    unknown = [row for row, phase in enumerate(phases) if phase == UNKNOWN]
    if not unknown:
        return
    read, readers = _dataflow(module, phases)
    first, last = _nearest(unknown, readers, read, phases), _nearest(unknown, read, readers, phases)
    for row in unknown:
        phases[row] = _between(first[row], last[row])
    rest = [row for row in unknown if phases[row] == UNKNOWN]
    behind = _nearest(rest, read, readers, phases)
    for row in rest:
        phases[row] = _latest(behind[row])
    _take_from_callers(module, phases, rest)


def _dataflow(module: HloModule, phases: Sequence[int]) -> tuple[_Rows, _Rows]:
    """By row what it reads, and by row what reads it, of pairs that are not both known.

    What a fusion or call holds stands in its place: its parameters are the operands, its root is the result.
    """
    read: dict[int, Sequence[int]] = {}
    readers: dict[int, list[int]] = {}
    for row, each in enumerate(module.instructions):
        sources = _sources(module, each)
        if phases[row] != UNKNOWN:
            sources = [source for source in sources if phases[source] == UNKNOWN]
        if sources:
            read[row] = sources
            for source in sources:
                readers.setdefault(source, []).append(row)
    return read, readers


def _sources(module: HloModule, each: Instruction) -> Sequence[int]:
    instructions = module.instructions
    if each.opcode == "parameter":
        number = each.parameter_number or 0
        callers = (instructions[row] for row in module.callers.get(each.computation, ()))
        return [
            caller.operands[number]
            for caller in callers
            if caller.opcode in _DIVIDED and 0 <= number < len(caller.operands)
        ]
    if each.opcode in _DIVIDED and each.called:
        return [module.computations[called].root for called in each.called]
    if each.opcode == "get-tuple-element" and each.operands:
        made = instructions[each.operands[0]]
        if made.opcode in _DIVIDED and len(made.called) == 1:
            made = instructions[module.computations[made.called[0]].root]
        place = each.tuple_index or 0
        if made.opcode == "tuple" and 0 <= place < len(made.operands):
            return [made.operands[place]]
    return each.operands


def _nearest(rows: Iterable[int], towards: _Rows, away: _Rows, phases: Sequence[int]) -> dict[int, int]:
    """By row, a bit for each phase that the nearest known rows in one direction have."""
    found = dict.fromkeys(rows, 0)
    for row in found:
        for other in towards.get(row, ()):
            if phases[other] != UNKNOWN:
                found[row] |= 1 << phases[other]
    waiting = [row for row, bits in found.items() if bits]
    while waiting:
        row = waiting.pop()
        for other in away.get(row, ()):
            before = found.get(other)
            if before is not None and before | found[row] != before:
                found[other] = before | found[row]
                waiting.append(other)
    return found


def _between(readers: int, read: int) -> int:
    """The phase of what ops of some phases read and what reads some; `UNKNOWN` where no pass and no optimizer reads it.

    What depends on a later pass and is read by the forward pass is read by that of another step.
    """
    first = next((int(phase) for phase in _IN_ORDER if readers >> phase & 1), UNKNOWN)
    last = _latest(read)
    if last in (Phase.RECOMPUTE, Phase.BACKWARD):
        return first if first in (UNKNOWN, Phase.BACKWARD) else last
    # XLA puts collectives of several passes together, which nothing but the last can wait for.
    return last if last == Phase.OPTIMIZER and first in (Phase.RECOMPUTE, Phase.BACKWARD) else first


def _latest(bits: int) -> int:
    return next((int(phase) for phase in (*reversed(_IN_ORDER), Phase.OTHER) if bits >> phase & 1), UNKNOWN)


def _take_from_callers(module: HloModule, phases: list[int], rows: Iterable[int]) -> None:
    # Callers stand behind what they call.
    for row in reversed([row for row in rows if phases[row] == UNKNOWN]):
        callers = module.callers.get(module.instructions[row].computation, ())
        phases[row] = next((phases[caller] for caller in callers if phases[caller] != UNKNOWN), UNKNOWN)
