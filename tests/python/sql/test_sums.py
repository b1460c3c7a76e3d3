"""What tables sum to is what the panels say, to the picosecond and the byte."""

import pytest

from made.predictions import SCAN
from made.queries import rows, subjects, value
from made.recorded import FILE_OF_BACKEND
from scopelight.analysis.lines.view import lines
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.views import memory_viewer
from scopelight.analysis.ops.options import OpsOptions
from scopelight.analysis.ops.views import ops
from scopelight.analysis.options import NoOptions, ScopeOptions
from scopelight.analysis.programs.view import programs


@pytest.fixture(scope="module", params=["predicted", *FILE_OF_BACKEND])
def run(request):
    if request.param == "predicted":
        return subjects(SCAN)[0]
    return subjects(request.getfixturevalue("shared_data") / FILE_OF_BACKEND[request.param])[0]


def test_executions_sum_to_the_op_time(run):
    whole = ops(run, OpsOptions(scope="window"))
    assert (value([run], "select coalesce(sum(self_ps), 0) from executions")) == whole.op_time_ps
    looked_at = ops(run, OpsOptions())
    steps = "where step is not null" if looked_at.extent.kind == "steps" else ""
    assert value([run], f"select sum(self_ps) from executions {steps}") == looked_at.op_time_ps
    assert value([run], "select op_time_ps from runs") == looked_at.op_time_ps
    assert value([run], "select sum(self_ps) from ops") == looked_at.op_time_ps


def test_lines_sum_to_what_the_view_of_lines_shows(run):
    record = lines(run, ScopeOptions())
    assert value([run], "select coalesce(sum(self_ps), 0) from lines") == record.attributed_ps
    assert value([run], "select coalesce(sum(waiting_ps), 0) from lines") == sum(x.waiting_ps for x in record.lines)
    assert value([run], "select count(distinct key) from lines") == len(record.lines)


def test_what_is_not_known_of_cores_is_null(run):
    record = lines(run, ScopeOptions())
    summed = None if record.cpu_ps is None else record.cpu_ps - record.unattributed_cpu_ps
    assert value([run], "select sum(cpu_ps) from lines") == summed


def test_ops_are_divided_among_lines_exactly(run):
    record = lines(run, ScopeOptions())
    attributed = "select coalesce(sum(self_ps), 0) from op_lines where line_key is {}"
    assert value([run], attributed.format("not null")) == record.attributed_ps
    assert value([run], attributed.format("null")) == record.unattributed_ps
    differing = """
        select count(*) from lines full join
        (select line_key as key, sum(self_ps) as self_ps from op_lines where line_key is not null group by all) parts
        using (key) where coalesce(lines.self_ps, 0) <> coalesce(parts.self_ps, 0)"""
    assert value([run], differing) == 0
    by_op = """
        select count(*) from ops join (select op_id, sum(self_ps) as self_ps from op_lines group by all) parts
        using (op_id) where ops.self_ps <> parts.self_ps"""
    assert value([run], by_op) == 0


def test_every_execution_has_its_op_and_its_device(run):
    lost = """
        select count(*) from executions e left join ops o using (run, op_id) left join devices d using (run, device_id)
        left join lanes l using (run, lane_id) where o.name is null or d.name is null or l.name is null"""
    assert value([run], lost) == 0
    if ops(run, OpsOptions()).extent.kind == "steps":
        differing = """
            select count(*) from ops join (
                select op_id, sum(self_ps) as self_ps from executions where step is not null group by all
            ) ran using (op_id) where ops.self_ps <> ran.self_ps"""
        assert value([run], differing) == 0


def test_the_wall_clock_of_steps_and_gaps(run):
    record = lines(run, ScopeOptions())
    assert value([run], "select count(*) from steps where busy_ps + stalled_ps + idle_ps <> wall_ps") == 0
    assert value([run], "select coalesce(sum(wall_ps), 0) from steps") == record.steps_wall_ps
    if record.steps and record.predicted_for is None:
        idle = value([run], "select sum(idle_ps) from steps")
        devices = value([run], "select count(distinct device_id) from executions where step is not null")
        in_steps = f"select sum(duration_ps) from gaps where step is not null and device_id in ({_devices(run)})"
        assert value([run], in_steps) == idle == sum(record.idle_classes.values())
        assert devices == record.extent.devices


def _devices(run):
    return "select distinct device_id from executions where step is not null"


def test_pieces_of_a_gap_lie_next_to_each_other(run):
    apart = """
        select count(*) from (
            select sum(duration_ps) as lasts_ps, max(start_ps + duration_ps) - min(start_ps) as spans_ps
            from gaps group by gap_id, device_id
        ) where lasts_ps <> spans_ps"""
    assert value([run], apart) == 0


def test_programs_and_their_buffers(run):
    record = programs(run, NoOptions())
    assert value([run], "select coalesce(sum(time_ps), 0) from programs") == record.program_time_ps
    viewer = memory_viewer(run, ProgramMemoryOptions())
    for module in viewer.modules:
        for space in module.memory_spaces:
            query = (
                f"select sum(bytes) from buffers where program_key = '{module.key}' and memory_space = {space.number}"
            )
            assert value([run], query) == space.peak_bytes


def test_milliseconds_are_the_same_times(run):
    both = rows([run], "select sum(self_ps) / 1e9 from executions union all select sum(self_ms) from executions_ms")
    assert both[0][0] == pytest.approx(both[1][0])
    names = [name for (name, *_) in rows([run], "describe steps_ms")]
    assert "start_ms" in names
    assert not [each for each in names if each.endswith("_ps")]


def test_several_runs_are_asked_at_once(run):
    both = [run, subjects(SCAN)[0]]
    found = rows(both, "select run, sum(self_ps) from ops group by run order by run")
    assert found == [
        (1, value([run], "select sum(self_ps) from ops")),
        (2, value(both[1:], "select sum(self_ps) from ops")),
    ]
    assert [each[0] for each in rows(both, "select run, name from runs order by run")] == [1, 2]
