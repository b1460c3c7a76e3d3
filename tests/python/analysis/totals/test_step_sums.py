"""Totals of executions by op, device and step are what a walk over them one by one finds."""

from collections import defaultdict

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from made.executions import executions_of, named
from scopelight.analysis.device_time.division import divide
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import instruction_totals
from scopelight.analysis.totals.step_sums import COLUMNS
from scopelight.model.executions import Device

STEPS = Steps("annotation", "train", np.array([20, 60, 100]), np.array([30, 40, 50]))


@st.composite
def executions(draw):
    ops = [named(f"op.{row}") for row in range(3)]
    row = st.tuples(*(st.integers(0, most) for most in (1, 170, 2, 60, 80)))
    rows = sorted(draw(st.lists(row, min_size=1, max_size=25)))
    device, _, op, _, self_ps = zip(*rows, strict=True)
    made = executions_of(
        [(ops[op], start, start + duration) for _, start, op, duration, _ in rows],
        devices=list(device),
        lanes=[each % 2 for each in op],
    )
    devices = tuple(Device(f"/device:{row}", kind, 0, row) for row, kind in enumerate(("cpu", "tpu")))
    return attrs.evolve(made, self_ps=np.array(self_ps, np.int64), devices=devices)


def step_at(time_ps):
    inside = (STEPS.start_ps <= time_ps) & (time_ps < STEPS.start_ps + STEPS.duration_ps)
    return int(np.flatnonzero(inside)[0]) if inside.any() else -1


@given(executions())
def test_totals_are_those_of_a_walk(found):
    division = divide(found, STEPS.start_ps, STEPS.start_ps + STEPS.duration_ps)
    own = defaultdict(list)
    wall = defaultdict(int)
    for row in range(len(found)):
        op, device = int(found.op[row]), int(found.device[row])
        span_ps = min(found.self_ps[row], found.duration_ps[row])
        span_ps = span_ps if found.devices[device].has_helper_threads else found.self_ps[row]
        own[op, device, step_at(found.start_ps[row])].append((int(found.self_ps[row]), int(span_ps)))
        wall[op, device, int(division.step[row])] += int(division.wall_ps[row])
    more = zip(division.more_execution, division.more_step, division.more_wall_ps, strict=True)
    for row, step, wall_ps in more:
        wall[int(found.op[row]), int(found.device[row]), int(step)] += int(wall_ps)

    totals = instruction_totals(found, STEPS, division)
    cells = list(zip(totals.op.tolist(), totals.device.tolist(), totals.step.tolist(), strict=True))
    assert cells == sorted(set(cells))
    assert set(own) <= set(cells)
    assert set(cells) - set(own) <= {cell for cell, wall_ps in wall.items() if wall_ps}
    assert sum(wall.values()) == totals.wall_ps.sum()
    for place, cell in enumerate(cells):
        row = dict(zip(COLUMNS, (getattr(totals, name)[place] for name in COLUMNS), strict=True))
        of_cell = own[cell]
        assert row["executions"] == len(of_cell)
        assert row["self_ps"] == sum(self_ps for self_ps, _ in of_cell)
        assert row["span_ps"] == sum(span_ps for _, span_ps in of_cell)
        assert row["wall_ps"] == wall[cell]
        if of_cell:
            assert row["least_ps"] == min(of_cell)[0]
            assert row["greatest_ps"] == max(of_cell)[0]
