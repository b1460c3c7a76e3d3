"""What met, made by hand: tables of when devices came to collectives, and left them."""

from collections.abc import Sequence

import numpy as np

from scopelight.model.rendezvous.collectives import CollectiveOp
from scopelight.model.rendezvous.instances import ABSENT_PS, Instances


def instances_of(
    arrival_ps, departure_ps, *, op=None, moment=None, kinds=("all-reduce",), group=None, source=None, awaited_ps=None
):
    """Executions of collectives by rows and devices; a device took no part where its arrival is None.

    ``group`` and ``source`` are by op and device, ``size`` is unknown.
    """
    arrival = _times(arrival_ps)
    departure = np.where(arrival == ABSENT_PS, ABSENT_PS, _times(departure_ps))
    awaited = arrival if awaited_ps is None else np.where(arrival == ABSENT_PS, ABSENT_PS, _times(awaited_ps))
    rows, devices = arrival.shape
    shape = (len(kinds), devices)
    return Instances(
        op=np.zeros(rows, np.int32) if op is None else np.array(op, np.int32),
        moment=np.zeros(rows, np.int64) if moment is None else np.array(moment, np.int64),
        arrival_ps=arrival,
        awaited_ps=awaited,
        departure_ps=departure,
        ops=tuple(CollectiveOp(1, f"{kind}.{row}", kind, 1 << 20) for row, kind in enumerate(kinds)),
        group=np.zeros(shape, np.int32) if group is None else np.array(group, np.int32).reshape(shape),
        size=np.zeros(shape, np.int32),
        source=np.full(shape, -1, np.int32) if source is None else np.array(source, np.int32).reshape(shape),
        place=np.zeros(0, np.int64),
        occurrence=np.zeros(rows, np.int32),
    )


def _times(rows: Sequence[Sequence[int | None]] | np.ndarray) -> np.ndarray:
    if isinstance(rows, np.ndarray):
        return rows.astype(np.int64)
    return np.array([[ABSENT_PS if each is None else each for each in row] for row in rows], dtype=np.int64)
