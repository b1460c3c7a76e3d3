"""Summarising: from the profile of one host to what is kept of it."""

import numpy as np

from scopelight.analysis.device_time.busy import span_at
from scopelight.analysis.hosts.breakdown import PARTS, core_steps, parts_of_ops
from scopelight.analysis.hosts.summary import (
    CoreColumns,
    StepColumns,
    SummarisedDevice,
    SummarisedHost,
    Summary,
    WorkColumns,
    WorkOp,
)
from scopelight.analysis.steps.steps import Steps, find_steps
from scopelight.formats.columns import Int64
from scopelight.formats.groups import sums_by
from scopelight.model.devices.global_ids import ProcessPlace, global_ids
from scopelight.model.joins import dense_ids, find_rows
from scopelight.model.op_work import Work, works_of
from scopelight.model.profile import Profile
from scopelight.model.rendezvous.collectives import Collectives, collectives_of
from scopelight.model.rendezvous.programs import program_numbers
from scopelight.model.rendezvous.runs import RunColumns
from scopelight.model.spans import Spans

LEAST_SHARE_RATIO = 1e-3
"""Of a host's op time: ops that have less of it explain nothing, and are not kept."""


def summarise(profile: Profile, name: str, place: ProcessPlace | None = None) -> Summary:
    """The summary of a profile of one host, which is called ``name``; ``place`` is that of its file among others."""
    executions = profile.executions
    names = [name] * (1 + max((each.host for each in executions.devices), default=0))
    ids = global_ids(executions.devices, profile.modules, profile.capture, names, place)
    collectives = collectives_of(executions, ids)
    steps = find_steps(profile)
    programs = program_numbers(executions)
    runs = _runs(profile, programs, steps)
    return Summary(
        hosts=(SummarisedHost(name, profile.started_ns, tuple(profile.findings)),),
        devices=tuple(
            SummarisedDevice(
                0, each.name, each.kind, each.ordinal, number, each.core, each.stated.name if each.stated else ""
            )
            for each, number in zip(executions.devices, ids, strict=True)
        ),
        program_names={
            int(number): program.name for number, program in zip(programs, executions.programs, strict=True)
        },
        collectives=collectives,
        runs=runs,
        steps=_steps(profile, steps, runs),
        cores=_cores(profile, steps, collectives),
        work=_work(profile, steps, programs),
    )


def _runs(profile: Profile, programs: Int64, steps: Steps) -> RunColumns:
    runs = profile.runs
    end_ps = runs.start_ps + runs.duration_ps
    number = _numbers(profile, steps)
    step = _step_at(steps, np.where(runs.launch_ps >= 0, runs.launch_ps, runs.start_ps))
    return RunColumns(
        program=programs[runs.program] if len(runs) else np.zeros(0, dtype=np.int64),
        device=runs.device,
        run_id=runs.run_id,
        start_ps=runs.start_ps,
        end_ps=end_ps,
        step=np.where(step >= 0, number[step], -1) if len(steps) else np.full(len(runs), -1, dtype=np.int64),
    )


def _numbers(profile: Profile, steps: Steps) -> Int64:
    """By step what its annotation calls it; -1 where none does."""
    found = np.full(len(steps), -1, dtype=np.int64)
    marks = [each for each in profile.step_marks if each.name == steps.name]
    if steps.source != "annotation" or not marks:
        return found
    mark = max(marks, key=lambda each: len(each.number))
    at = np.searchsorted(mark.start_ps, steps.start_ps + steps.duration_ps // 2, side="right") - 1
    return np.where(at >= 0, mark.number[np.maximum(at, 0)], -1)


def _step_at(steps: Steps, moment_ps: Int64) -> Int64:
    """By moment the step that it lies in; -1 outside of all."""
    return span_at(Spans(steps.start_ps, steps.duration_ps), moment_ps)


def _steps(profile: Profile, steps: Steps, runs: RunColumns) -> StepColumns:
    count = len(steps)
    run = np.full(count, -1, dtype=np.int64)
    of_step = _step_at(steps, runs.start_ps)
    # The longest run that began in it stands for it; of equally long ones, as on several devices, the first.
    for row in np.argsort(runs.end_ps - runs.start_ps, kind="stable").tolist():
        if of_step[row] >= 0:
            run[of_step[row]] = row
    return StepColumns(
        np.zeros(count, dtype=np.int32), _numbers(profile, steps), steps.start_ps, steps.duration_ps, run
    )


def _cores(profile: Profile, steps: Steps, collectives: Collectives) -> CoreColumns:
    executions = profile.executions
    part_of_op = parts_of_ops(executions)
    ends_ps = steps.start_ps + steps.duration_ps
    count, devices = len(steps), len(executions.devices)
    found = [core_steps(executions, device, steps.start_ps, ends_ps, part_of_op) for device in range(devices)]
    nothing = np.zeros(0, dtype=np.int64)
    row = np.concatenate([nothing, *(each.row for each in found)])
    core = np.concatenate([nothing, *(each.step + count * device for device, each in enumerate(found))])
    exposed_ps = np.concatenate([nothing, *(each.exposed_ps for each in found)])
    collective = find_rows(collectives.row, row).astype(np.int64)
    # What only begins an asynchronous collective waits for nobody.
    kept = collective >= 0
    return CoreColumns(
        device=np.repeat(np.arange(devices, dtype=np.int32), count),
        step=np.tile(np.arange(count, dtype=np.int64), devices),
        parts_ps=np.concatenate([np.zeros((0, len(PARTS)), dtype=np.int64), *(each.parts_ps for each in found)]),
        exposed_collective=collective[kept],
        exposed_core=core[kept],
        exposed_ps=exposed_ps[kept],
    )


def _work(profile: Profile, steps: Steps, programs: Int64) -> WorkColumns:
    """Self times in the steps, or of all where there are no steps, of ops that may explain why a device is slow."""
    executions = profile.executions
    works = works_of(executions)
    explains = (works != Work.COMMUNICATION) & (works != Work.CONTAINER) & (works != Work.WAIT)
    in_steps = _step_at(steps, executions.start_ps) >= 0 if len(steps) else np.ones(len(executions), dtype=np.bool_)
    rows = np.flatnonzero(in_steps & explains[executions.op]) if len(executions) else np.zeros(0, dtype=np.int64)
    devices = max(1, len(executions.devices))
    cells, firsts = dense_ids(executions.op[rows].astype(np.int64) * devices + executions.device[rows])
    self_ps = sums_by(cells, len(firsts), executions.self_ps[rows])
    op, device = executions.op[rows[firsts]], executions.device[rows[firsts]]
    kept = np.flatnonzero(self_ps >= LEAST_SHARE_RATIO * self_ps.sum())
    ops: dict[WorkOp, int] = {}
    number = [ops.setdefault(_work_op(profile, programs, row), len(ops)) for row in op[kept].tolist()]
    return WorkColumns(np.array(number, dtype=np.int32), device[kept], self_ps[kept], tuple(ops))


def _work_op(profile: Profile, programs: Int64, row: int) -> WorkOp:
    op = profile.executions.ops[row]
    return WorkOp(int(programs[op.program]) if op.program >= 0 else 0, op.name, op.op_name, op.stack)
