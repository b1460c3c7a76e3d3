"""Breakdown: what each core did in each step, every moment once.

Of several things that go on at once the first of `PARTS` counts, so that only what is exposed of an exchange is its.
What nothing covers is idle. The parts of a core in a step sum to the step.
"""

# ruff: noqa: PLR0912

import re
from collections.abc import Mapping
from typing import Literal, get_args

import attrs
import numpy as np

from scopelight.formats.columns import Int64
from scopelight.formats.kernels import kernel
from scopelight.model.executions import Executions, Op
from scopelight.model.op_work import Work, work_of
from scopelight.program.hlo.memory_spaces import HOST, MemorySpaces
from scopelight.program.hlo.products import PRODUCTS
from scopelight.program.hlo.sizes import leaves

CorePart = Literal[
    "high-flops",
    "low-flops",
    "host-transfer",
    "send",
    "recv",
    "infeed",
    "outfeed",
    "collective-move",
    "collective-wait",
    "idle",
]
"""Matrix products and convolutions; other computation; copies from and to the host's memory; sending and receiving
between devices; feeding from and to the host; collectives that move data, and that wait for the last to come; nothing.
"""
PARTS: tuple[CorePart, ...] = get_args(CorePart)

_NUMBER: Mapping[CorePart, int] = {part: number for number, part in enumerate(PARTS)}
MOVE, WAIT, IDLE = _NUMBER["collective-move"], _NUMBER["collective-wait"], _NUMBER["idle"]
"""Rows of `PARTS`."""
_NOTHING = -1
_HIGH_FLOPS = re.compile(r"(.*convolution.*|output fusion|dot|dot fusion)$")
_LIBRARY = re.compile(r"gemm|cublas|cudnn|cutlass|matmul|conv\w*_fprop|hipblas|miopen", re.IGNORECASE)
"""In names of kernels, and of the targets of custom calls, that multiply matrices."""
_BEGINNINGS: tuple[tuple[str, CorePart], ...] = (
    ("infeed", "infeed"),
    ("outfeed", "outfeed"),
    ("host send", "host-transfer"),
    ("host recv", "host-transfer"),
    ("copy host to device", "host-transfer"),
    ("copy device to host", "host-transfer"),
    ("send", "send"),
    ("recv", "recv"),
)


def part_of(op: Op, spaces: MemorySpaces) -> int:
    """What a core does during an execution, as a row of `PARTS`; -1 for what only contains others."""
    work = work_of(op)
    if work is Work.CONTAINER:
        return _NOTHING
    opcode = op.instruction.opcode if op.instruction is not None else ""
    for beginning, part in _BEGINNINGS:
        if op.category.startswith(beginning) or (not op.category and opcode.startswith(beginning)):
            return _NUMBER[part]
    if work is Work.COMMUNICATION:
        return MOVE
    if work is Work.TRANSFER and _touches_host(op, spaces):
        return _NUMBER["host-transfer"]
    return _NUMBER["high-flops" if _multiplies(op) else "low-flops"]


def _multiplies(op: Op) -> bool:
    if _HIGH_FLOPS.match(op.category):
        return True
    instruction = op.instruction
    if instruction is None:
        return _LIBRARY.search(op.name[:200]) is not None
    if instruction.opcode in PRODUCTS or instruction.dot is not None or instruction.convolution is not None:
        return True
    return _LIBRARY.search(instruction.custom_call_target) is not None


def _touches_host(op: Op, spaces: MemorySpaces) -> bool:
    module, instruction = op.module, op.instruction
    if module is None or instruction is None:
        return False
    if instruction.opcode.endswith("-done") and instruction.operands:
        instruction = module.instructions[instruction.operands[0]]
    shapes = [instruction.shape, *(module.instructions[each].shape for each in instruction.operands)]
    return any(spaces.of_array(array) == HOST for shape in shapes for array in leaves(shape))


@attrs.frozen(eq=False, repr=False)
class CoreSteps:
    """What a device did in steps: ``parts_ps`` int64[steps, parts], where all of collectives counts as moving.

    ``row``, ``step`` and ``exposed_ps`` are columns of equal length that say which executions of collectives that is
    of, by rows of the executions.
    """

    parts_ps: Int64
    row: Int64
    step: Int64
    exposed_ps: Int64


def core_steps(executions: Executions, device: int, starts_ps: Int64, ends_ps: Int64, part_of_op: Int64) -> CoreSteps:
    """What a device (a row of ``executions.devices``) did in steps, sorted and disjoint; ``part_of_op``: `part_of`."""
    rows = executions.rows_of(device)
    part = part_of_op[executions.op[rows]]
    kept = np.flatnonzero((part != _NOTHING) & (executions.duration_ps[rows] > 0))
    part, start_ps = part[kept], executions.start_ps[rows][kept]
    end_ps = start_ps + executions.duration_ps[rows][kept]
    by_end = np.argsort(end_ps, kind="stable")
    found = np.zeros((len(starts_ps), len(PARTS)), dtype=np.int64)
    # Which of several collectives is exposed changes only where one begins or ends.
    most = 4 * int(np.count_nonzero(part == MOVE)) + len(starts_ps) + 16
    exposed = np.zeros((3, most), dtype=np.int64)
    running, under_way = np.zeros(len(PARTS), dtype=np.int64), np.zeros(len(part) + 1, dtype=np.int64)
    count = _sweep(part, start_ps, end_ps, by_end, starts_ps, ends_ps, running, under_way, found, exposed)
    found[:, IDLE] = (ends_ps - starts_ps) - found[:, :IDLE].sum(axis=1)
    exposed = exposed[:, :count]
    return CoreSteps(found, rows.start + kept[exposed[0]], exposed[1].copy(), exposed[2].copy())


@kernel
def _sweep(
    part: Int64,
    start: Int64,
    end: Int64,
    by_end: Int64,
    first: Int64,
    beyond: Int64,
    running: Int64,
    under_way: Int64,
    found: Int64,
    exposed: Int64,
) -> int:
    rows, started, ended, step, steps = len(part), 0, 0, 0, len(first)
    count = open_now = 0
    now = start[0] if rows else 0
    while ended < rows and steps:
        is_end = started >= rows or end[by_end[ended]] <= start[started]
        at = end[by_end[ended]] if is_end else start[started]
        if at > now:
            which = 0
            while which < len(running) and not running[which]:
                which += 1
            while step < steps and beyond[step] <= now:
                step += 1
            reached = step
            while which < len(running) and reached < steps and first[reached] < at:
                spent = min(at, beyond[reached]) - max(now, first[reached])
                found[reached, which] += spent
                if which == MOVE:
                    row = under_way[open_now - 1]
                    is_same = count > 0 and exposed[0, count - 1] == row and exposed[1, count - 1] == reached
                    if not is_same and count < exposed.shape[1]:
                        exposed[0, count], exposed[1, count] = row, reached
                        count += 1
                        is_same = True
                    if is_same:
                        exposed[2, count - 1] += spent
                reached += 1
            now = at
        row = by_end[ended] if is_end else started
        if is_end:
            ended += 1
            running[part[row]] -= 1
            if part[row] == MOVE:
                place = open_now - 1
                while place > 0 and under_way[place] != row:
                    place -= 1
                for later in range(place, open_now - 1):
                    under_way[later] = under_way[later + 1]
                open_now -= 1
        else:
            started += 1
            running[part[row]] += 1
            if part[row] == MOVE:
                under_way[open_now] = row
                open_now += 1
    return count


def parts_of_ops(executions: Executions) -> Int64:
    """`part_of` every op, by the memory spaces of the device that ran it first."""
    _, first = np.unique(executions.op, return_index=True)
    device_of = dict(zip(executions.op[first].tolist(), executions.device[first].tolist(), strict=True))
    spaces = executions.devices[0].memory_spaces if executions.devices else None
    found = np.full(len(executions.ops), _NOTHING, dtype=np.int64)
    for row, op in enumerate(executions.ops):
        if row in device_of and spaces is not None:
            found[row] = part_of(op, executions.devices[device_of[row]].memory_spaces)
    return found
