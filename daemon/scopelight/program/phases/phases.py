"""Phase of an op in a training step: forward, backward, recompute, optimizer or other.

jax writes the transformations that made an op into its ``op_name``: ``jvp(...)`` around what was
differentiated, ``transpose(jvp(...))`` around its backward pass, ``rematted_computation`` around what
``jax.checkpoint`` computes again. The optimizer is written nowhere and is found by the names of scopes and by
its place in the dataflow.
"""

import functools
import re
from collections.abc import Collection, Mapping, Sequence

from scopelight.program.hlo.frames import Frame
from scopelight.program.hlo.nouns import HloModule, Instruction
from scopelight.program.hlo.path import RECOMPUTED
from scopelight.program.hlo.products import PRODUCTS, Products
from scopelight.program.phases.phase import UNKNOWN, Phase
from scopelight.program.phases.recomputation import PassMarks, computed_again
from scopelight.program.phases.unnamed import place_unnamed, unnamed

_TRANSPOSED = re.compile(r"(?<![\w.])transpose\(")
"""A transposed scope. The primitive of ``jnp.transpose`` is a last part ``transpose`` without a bracket (or,
from old jax, ``transpose[permutation=...]``)."""
_DIFFERENTIATED = re.compile(r"(?<![\w.])jvp\(")

_NAMES_OPTIMIZER = re.compile(
    r"(?:^|_)(?:optimi[sz]ers?|optim|optax|adam[aw]?|adamax|nadamw?|radam|adagrad|adadelta|adafactor|sgd|rmsprop"
    r"|lion|lamb|lars|muon|shampoo|sophia|yogi)(?:_|$)"
    r"|(?:^|_)apply_(?:updates?|gradients?|grads?)(?:_|$)"
    r"|(?:^|_)(?:update_(?:params?|parameters|weights)|(?:params?|parameters|weights?)_updates?)(?:_|$)",
    re.IGNORECASE,
)
_WRAPPED = re.compile(r"^\w+\((.*)\)$")
_BRACKETED = re.compile(r"\[[^\[\]]*\]")

_FORWARD, _BACKWARD, _RECOMPUTE = int(Phase.FORWARD), int(Phase.BACKWARD), int(Phase.RECOMPUTE)
_OPTIMIZER, _OTHER = int(Phase.OPTIMIZER), int(Phase.OTHER)
_DIVIDED = frozenset(("fusion", "call", "async-start"))
_CONTAINERS = frozenset(("while", "conditional"))
_APPLYING = frozenset(("reduce", "reduce-window", "scatter", "select-and-scatter", "map", "sort"))
_UNTRACED = frozenset(("parameter", "constant"))


def marked_phase(op_name: str) -> Phase | None:
    """Phase that the transformations in ``op_name`` prove; None where there are none.

    Of several names joined by ``;`` the first that is marked decides.
    """
    for part in op_name.split(";"):
        if RECOMPUTED in part:
            return Phase.RECOMPUTE
        # The plain search first: it is quick, and names come by the thousand.
        if "transpose(" in part and _TRANSPOSED.search(part):
            return Phase.BACKWARD
        if "jvp(" in part and _DIFFERENTIATED.search(part):
            return Phase.FORWARD
    return None


def computes_again(name: str, op_name: str) -> bool:
    """Whether the names of an op of which nothing else is known say that it computes again what was computed before."""
    return is_rematerialised(name) or (RECOMPUTED in op_name and marked_phase(op_name) == Phase.RECOMPUTE)


def is_rematerialised(name: str) -> bool:
    """Whether XLA computes an instruction again to save memory, which it writes into its copy's name."""
    return ".remat" in name


def recomputed_instructions(module: HloModule) -> frozenset[Instruction]:
    """The instructions that compute again what the forward pass computed, as ``jax.checkpoint`` asks for.

    A name alone does not prove it: XLA merges what is computed twice where it can.
    """
    known = {name: marked_phase(name) for name in {each.op_name for each in module.instructions}}
    return _recomputed(module, [known[each.op_name] for each in module.instructions])


def _recomputed(module: HloModule, marked: Sequence[int | None]) -> frozenset[Instruction]:
    if Phase.RECOMPUTE not in marked:
        return frozenset()
    marks = (Phase.FORWARD, Phase.BACKWARD, Phase.RECOMPUTE)
    return computed_again(module, PassMarks(*([each == phase for each in marked] for phase in marks)))


def names_optimizer(op_name: str, *, whole_program: bool) -> bool:
    """Whether a scope or jitted function in ``op_name`` is called like an optimizer.

    The last part is the primitive and no scope. The leading ``jit(...)`` names the program: it counts only
    with ``whole_program``, for a program that does nothing but apply gradients; in ``jit(sgd_step)`` around a
    whole training step it says nothing of a single op.
    """
    for part in op_name.split(";"):
        scopes = (_BRACKETED.sub("", part) if "[" in part else part).split("/")[:-1]
        if not whole_program and scopes and scopes[0].startswith("jit("):
            del scopes[0]
        if any(map(_is_optimizer, scopes)):
            return True
    return False


@functools.lru_cache(maxsize=4096)
def _is_optimizer(scope: str) -> bool:
    # jax nests a few transformations at most; a file may claim any number.
    for _ in range(16):
        wrapped = _WRAPPED.match(scope)
        if wrapped is None:
            break
        scope = wrapped[1]
    return _NAMES_OPTIMIZER.search(scope) is not None


def phase_of_name(op_name: str) -> Phase:
    """Phase of an op of which nothing but its name is known."""
    marked = marked_phase(op_name)
    if marked is not None:
        return marked
    return Phase.OPTIMIZER if names_optimizer(op_name, whole_program=True) else Phase.OTHER


def module_phases(module: HloModule) -> Sequence[int]:
    """Phase of every instruction by row, as values of ``Phase``.

    What the name proves comes first (of what it says is computed again, what is: the rest is what XLA left of the
    forward pass), then scopes called like an optimizer, then place: an op without marks
    that depends on the backward pass is the optimizer's, and so is one that nothing but the optimizer reads.
    An op without a path of names belongs to the phase of what reads it, else of what it reads.
    What is left is other: the ops of a program that is never differentiated are not called forward, for jax
    does not say so.
    """
    instructions = module.instructions
    known: dict[str, int] = {}
    for name in {each.op_name for each in instructions}:
        proven = marked_phase(name)
        known[name] = UNKNOWN if proven is None else int(proven)
    phases = [known[each.op_name] for each in instructions]
    again = _recomputed(module, phases)
    for row, each in enumerate(instructions):
        if phases[row] == _RECOMPUTE and each not in again:
            phases[row] = _FORWARD
    without_path = unnamed(module)
    _mark_by_applied(module, phases, without_path)
    trains = _BACKWARD in known.values()
    after = _after_backward(module, phases) if trains else bytearray(len(instructions))
    if trains:
        _mark_containers(module, phases)
    for name, phase in known.items():
        # A name without scopes is that of a parameter, handed on to what XLA made of it.
        if phase == UNKNOWN and name not in without_path:
            known[name] = _OPTIMIZER if names_optimizer(name, whole_program=not trains) else _OTHER
    for row, each in enumerate(instructions):
        if phases[row] == UNKNOWN and each.opcode not in _UNTRACED:
            phase = known[each.op_name]
            phases[row] = _OPTIMIZER if phase == _OTHER and after[row] else phase
    if trains:
        unscoped = any("/jit(main)/" in name for name in known)
        if not unscoped:
            _mark_by_place(instructions, phases, known)
        _mark_lost_products(module, phases, after)
        _claim(module, phases, after, unscoped=unscoped)
        if unscoped:
            _tell_apart_by_line(instructions, phases, after, known)
    place_unnamed(module, phases)
    return [_OTHER if phase == UNKNOWN else phase for phase in phases]


def _mark_by_applied(module: HloModule, phases: list[int], without_path: Collection[str]) -> None:
    """Give ops without a path of names that apply a function (sort, reduce-window) the mark of what they apply.

    XLA keeps the function where it rewrites the op.
    """
    for row, each in enumerate(module.instructions):
        if phases[row] == UNKNOWN and each.called and each.op_name in without_path and each.opcode in _APPLYING:
            applied = phases[module.computations[each.called[0]].root]
            if applied in (_FORWARD, _BACKWARD):
                phases[row] = applied


def _mark_lost_products(module: HloModule, phases: list[int], after: bytearray) -> None:
    """Give products that XLA rewrote without a name, and fusions around them, the phase of their result's name.

    Where that is lost too, what depends on the backward pass belongs to it: the optimizer's own products keep their
    names.
    """
    lost = [row for row, each in enumerate(module.instructions) if each.opcode in PRODUCTS and not each.op_name]
    if not lost:
        return
    products = Products(module)
    of_computation: dict[int, int] = {}
    for row in lost:
        result = products.result_of(row)
        if result is not None and phases[result] in (_FORWARD, _BACKWARD, _RECOMPUTE):
            phases[row] = phases[result]
        elif phases[row] == UNKNOWN and after[row]:
            phases[row] = _BACKWARD
        of_computation[module.instructions[row].computation] = phases[row]
    for row, each in enumerate(module.instructions):
        if each.opcode == "fusion" and not each.op_name and phases[row] == UNKNOWN:
            phases[row] = next((of_computation[called] for called in each.called if called in of_computation), UNKNOWN)


def _mark_containers(module: HloModule, phases: list[int]) -> None:
    """Give a loop or branch without a mark the phase of what is in it: backward before forward."""
    inside = bytearray(len(module.computations))
    for row, computation in enumerate(module.computations):
        held = 0
        for each in computation.instructions:
            instruction = module.instructions[each]
            of_called = 0
            for called in instruction.called:
                of_called |= inside[called]
            if phases[each] == UNKNOWN and instruction.opcode in _CONTAINERS:
                if of_called & 1 << _BACKWARD:
                    phases[each] = _BACKWARD
                elif of_called & 1 << _FORWARD:
                    phases[each] = _FORWARD
            held |= of_called
            if phases[each] != UNKNOWN:
                held |= 1 << phases[each]
        inside[row] = held


def _claim(module: HloModule, phases: list[int], after: bytearray, *, unscoped: bool) -> None:
    """Give the optimizer what only it reads: the decay of moments, bias corrections, schedules.

    jax up to 0.7 (its names have ``jit(main)``) leaves no mark where a function has no scope; in its programs,
    what the forward or backward pass reads and no backward op leads to is forward (``unscoped``).
    """
    instructions = module.instructions
    readers = bytearray(len(phases))
    only_optimizer = 1 << _OPTIMIZER
    passes = 1 << _FORWARD | 1 << _BACKWARD | 1 << _RECOMPUTE
    for row in range(len(phases) - 1, -1, -1):
        phase = phases[row]
        if phase == _OTHER:
            if readers[row] == only_optimizer:
                phase = phases[row] = _OPTIMIZER
            elif unscoped and readers[row] & passes and not after[row]:
                phase = phases[row] = _FORWARD
        # What has no name (tuples, copies) hands on who reads it; what is other says nothing.
        mask = readers[row] if phase == UNKNOWN else 0 if phase == _OTHER else 1 << phase
        if not mask:
            continue
        each = instructions[row]
        for operand in each.operands:
            readers[operand] |= mask
        if each.called and each.opcode in _DIVIDED:
            for called in each.called:
                readers[module.computations[called].root] |= mask


def _mark_by_place(instructions: Sequence[Instruction], phases: list[int], known: Mapping[str, int]) -> None:
    """Give the forward pass the unmarked ops that stand on a line of it, under the same callers or some of them.

    They depend on nothing that is differentiated: a mask, the numbers of rows that a sort moves along. jax takes some
    of them out of loops, and their stack loses the frames in between. Of such jax, each backward op has its mark.
    """
    callers: dict[Frame, dict[int, frozenset[Frame]]] = {}
    for row, each in enumerate(instructions):
        if phases[row] == _FORWARD and each.stack:
            there = callers.setdefault(each.stack[0], {})
            if id(each.stack) not in there:
                there[id(each.stack)] = frozenset(each.stack)
    for row, each in enumerate(instructions):
        if phases[row] not in (_OTHER, _OPTIMIZER) or known[each.op_name] != _OTHER or not each.stack:
            continue
        # Without the names of functions, a line of a loop over steps may be that of the optimizer as well.
        there = callers.get(each.stack[0], {}) if phases[row] == _OTHER or each.stack[0].function else {}
        if any(frames.issuperset(each.stack) for frames in there.values()):
            phases[row] = _FORWARD


def _tell_apart_by_line(
    instructions: Sequence[Instruction], phases: list[int], after: bytearray, known: Mapping[str, int]
) -> None:
    """Take from the optimizer what stands on a line of the forward pass: it is that line's backward pass."""
    forward = {
        (each.stack[0].path, each.stack[0].line)
        for row, each in enumerate(instructions)
        if phases[row] == _FORWARD and each.stack
    }
    for row, each in enumerate(instructions):
        # Known as other by name: the optimizer has it by place alone.
        if phases[row] != _OPTIMIZER or known[each.op_name] != _OTHER or not each.stack:
            continue
        if (each.stack[0].path, each.stack[0].line) in forward:
            phases[row] = _BACKWARD if after[row] else _FORWARD


def _after_backward(module: HloModule, marked: Sequence[int]) -> bytearray:
    """Whether an instruction is in the backward pass or depends on it, by row.

    One pass over the computations, callees first as files have them, tells which hold a part of the backward
    pass; a second, callers first, carries dependence along operands and into what is called.
    """
    instructions = module.instructions
    computations = module.computations
    holds = bytearray(len(computations))
    for row, computation in enumerate(computations):
        held = 0
        for each in computation.instructions:
            held |= marked[each] == _BACKWARD
            for called in instructions[each].called:
                held |= holds[called]
        holds[row] = held
    after = bytearray(len(instructions))
    entered: dict[int, list[int]] = {}
    for row in range(len(computations) - 1, -1, -1):
        arguments = entered.get(row, ())
        for each in computations[row].instructions:
            instruction = instructions[each]
            if instruction.parameter_number is not None:
                if 0 <= instruction.parameter_number < len(arguments):
                    after[each] = arguments[instruction.parameter_number]
                continue
            late = int(marked[each] == _BACKWARD)
            for operand in instruction.operands:
                late |= after[operand]
            for called in instruction.called:
                late |= holds[called]
                _enter(entered, called, instruction, after)
            after[each] = late
    return after


def _enter(entered: dict[int, list[int]], called: int, caller: Instruction, after: bytearray) -> None:
    passed = [after[operand] for operand in caller.operands]
    if caller.opcode not in _DIVIDED:
        # A loop's or branch's arguments are tuples, or follow a predicate: any of them may be meant.
        passed = [int(any(passed))] * max(1, len(passed))
    earlier = entered.get(called)
    if earlier is not None:
        longest = max(len(passed), len(earlier))
        passed += [0] * (longest - len(passed))
        for position, value in enumerate(earlier):
            passed[position] |= value
    entered[called] = passed
