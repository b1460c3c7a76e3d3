"""Stalls: which executions keep a device from computing, and what it waits for in them."""

from collections.abc import Sequence
from typing import Final, get_args

import numpy as np

from scopelight.analysis.records import StallCause
from scopelight.formats.columns import Int32, Int64
from scopelight.model.executions import Op
from scopelight.model.op_work import Work

STALLS: Final[Sequence[StallCause]] = get_args(StallCause)

_PEER = ("send", "recv", "%send", "%recv")
"""Beginnings of the names of what goes from one device to one other."""


def _stall_of(op: Op, work: int) -> StallCause | None:
    """What a device waits for while only executions of ``op`` run; None where they compute, or hold what does.

    A synchronous collective moves data and waits for its peers; the profile does not tell one from the other, and
    either way nothing is computed.
    """
    if work == Work.TRANSFER:
        return "copy"
    if work == Work.WAIT:
        return "host"
    if work == Work.COMMUNICATION:
        return "peer" if op.category.startswith(_PEER) or op.name.startswith(_PEER) else "collective"
    return None


def stalls_of(ops: Sequence[Op], works: Int32) -> Int64:
    """By op its cause, as a row of `STALLS`; -1 without one. ``works`` is what each of them does (a `Work`)."""
    causes = (_stall_of(op, work) for op, work in zip(ops, works.tolist(), strict=True))
    return np.array([-1 if cause is None else STALLS.index(cause) for cause in causes], dtype=np.int64)
