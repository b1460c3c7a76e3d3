"""The records of steps: what each had of the wall clock of the devices."""

import numpy as np

from scopelight.analysis.records import StepRecord
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.waiting.charging import longest_first
from scopelight.analysis.totals.waiting.classes import CLASSES


def step_records(centre: Centre) -> tuple[StepRecord, ...]:
    """Every complete step, by the devices that ran anything in the steps."""
    steps = centre.steps
    count = len(steps)
    if not count:
        return ()
    devices = list(centre.scoped("steps").totals.device_rows)
    busy_ps = centre.division.busy_ps[devices, :count].sum(axis=0).tolist()
    stalled_ps = centre.division.stalled_ps[devices, :count].sum(axis=(0, 2)).tolist()
    waiting = centre.scoped("steps").waiting
    pieces, rows = waiting.pieces, waiting.rows
    idle_ps = np.zeros((count, len(CLASSES)), dtype=np.int64)
    np.add.at(idle_ps, (pieces.step[rows], pieces.kind[rows]), pieces.duration_ps[rows])
    cpu_ps = [None] * count if centre.cpu is None else centre.cpu.process_ps.tolist()
    return tuple(
        StepRecord(
            start_ps=int(steps.start_ps[step]),
            duration_ps=int(steps.duration_ps[step]),
            devices=len(devices),
            wall_ps=int(steps.duration_ps[step]) * len(devices),
            busy_ps=busy_ps[step],
            stalled_ps=stalled_ps[step],
            idle_ps=int(idle_ps[step].sum()),
            idle_classes=longest_first(
                {name: idle for name, idle in zip(CLASSES, idle_ps[step].tolist(), strict=True) if idle}
            ),
            cpu_ps=cpu_ps[step],
        )
        for step in range(count)
    )
