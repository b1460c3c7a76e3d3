"""The overview of all devices, of one host's, and of one device."""

import attrs
import pytest

from made.executions import executions_of, profile_of_executions
from made.host.idle import OPTIONS, frame
from made.program.training_loops import marks
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import OptionError
from scopelight.analysis.overview.options import OverviewOptions
from scopelight.analysis.overview.view import overview
from scopelight.analysis.subject import Subject
from scopelight.model.executions import Op

MS = 1_000_000_000
STEP_MS, STEPS = 10, 4
BUSY_MS = {0: 8, 1: 6, 2: 4, 3: 2}
"""Of each step, by device; the first two are of one host, the others of another."""
OP = Op("fusion.1", "fusion", 0, stack=(frame(5),))


@pytest.fixture
def subject():
    rows = [
        (OP, (step * STEP_MS) * MS, (step * STEP_MS + busy) * MS) for busy in BUSY_MS.values() for step in range(STEPS)
    ]
    executions = executions_of(rows, devices=[device for device in BUSY_MS for _ in range(STEPS)])
    devices = tuple(attrs.evolve(each, host=each.ordinal // 2) for each in executions.devices)
    profile = attrs.evolve(
        profile_of_executions(attrs.evolve(executions, devices=devices), STEPS * STEP_MS * MS),
        step_marks=(marks([step * STEP_MS * MS for step in range(STEPS)], STEP_MS * MS),),
    )
    return Subject.of(profile, OPTIONS)


@pytest.mark.parametrize(
    ("device", "rows"),
    [(None, (0, 1, 2, 3)), ("host 0", (0, 1)), ("host 1", (2, 3)), ("/device:TPU:2", (2,))],
)
def test_it_sums_to_the_wall_clock_of_what_is_looked_at(subject, device, rows):
    record = overview(subject, OverviewOptions(device=device))
    assert sum(record.parts.values()) == len(rows) * STEPS * STEP_MS * MS
    assert record.parts["compute"] == sum(BUSY_MS[row] for row in rows) * STEPS * MS
    assert len(record.busy) == len(rows)
    assert ops(subject, OpsOptions(device=device)).op_time_ps == record.parts["compute"]
    assert [each.device for each in record.busy] == [f"/device:TPU:{row}" for row in rows]


def test_a_host_that_there_is_not_is_said_with_those_that_there_are(subject):
    with pytest.raises(OptionError, match="host 0, host 1"):
        overview(subject, OverviewOptions(device="host 2"))
