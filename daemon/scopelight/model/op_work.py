"""What ops occupy a device with: computing, exchanging data with other devices, moving data, waiting for the host."""

import enum
import re

import numpy as np

from scopelight.formats.columns import Int32
from scopelight.model.executions import Executions, Op
from scopelight.program.hlo.category import COLLECTIVES, category_of


class Work(enum.IntEnum):
    """What a device does during an execution; usable as a column."""

    COMPUTATION = 0
    COMMUNICATION = 1
    """With other devices: collectives and point-to-point, with the waiting of one for the others."""
    TRANSFER = 2
    """Copies between host and device, and asynchronous copies between memories."""
    WAIT = 3
    """For the host: an infeed."""
    CONTAINER = 4
    """A loop, branch or call: what runs inside it says what the device did."""


_EXCHANGES = (*COLLECTIVES, "async-collective", "send", "recv")
_TRANSFERS = (
    *("copy host to device", "copy device to host", "host send", "host recv", "outfeed"),
    *("copy-start", "copy-done", "async-copy", "dynamic-slice-start", "dynamic-slice-done"),
)
_CONTAINERS = frozenset(("while", "conditional", "call"))
_EXCHANGING_KERNEL = re.compile(r"nccl|rccl|nvshmem|MemcpyP2P", re.IGNORECASE)
"""In the names of what runs on a GPU to exchange data with another."""
_OPCODE = re.compile(r"[A-Za-z][A-Za-z-]*")
"""At the beginning of an instruction's name or text: ``all-reduce-start`` of ``all-reduce-start.3 = f32[8] ...``."""
_LONGEST = 200


def work_of_name(name: str) -> Work:
    """What an instruction, a kernel or ops of a category do, as far as the name tells; else they compute."""
    name = name[:_LONGEST].removeprefix("%")
    opcode = _OPCODE.match(name)
    begins = opcode[0] if opcode else ""
    if begins.startswith(_EXCHANGES) or _EXCHANGING_KERNEL.search(name):
        return Work.COMMUNICATION
    if name.startswith(_TRANSFERS):
        return Work.TRANSFER
    if begins.startswith("infeed"):
        return Work.WAIT
    return Work.CONTAINER if begins in _CONTAINERS else Work.COMPUTATION


def work_of(op: Op) -> Work:
    """What executions of ``op`` do: as its instruction tells, else its recorded category, else its name."""
    if not op.category and op.instruction is None:
        return work_of_name(op.name)
    told = work_of_name(op.category)
    # A send or receive whose other side is the host has the opcode of one between devices.
    if op.module is not None and op.instruction is not None and not op.category.startswith("host "):
        derived = work_of_name(category_of(op.module, op.instruction))
        told = told if derived is Work.COMPUTATION else derived
    if told is Work.COMPUTATION and _EXCHANGING_KERNEL.search(op.name[:_LONGEST]):
        return Work.COMMUNICATION
    return told


def works_of(executions: Executions) -> Int32:
    """The `Work` of every row of ``executions.ops``."""
    return np.array([work_of(op) for op in executions.ops], dtype=np.int32)
