"""Meetings: how long each op waited for the last device to come, and how long it moved data."""

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import span_at
from scopelight.analysis.device_time.collective_waits import collective_waits
from scopelight.analysis.options import Scope
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Int64
from scopelight.model.op_work import Work, work_of
from scopelight.model.profile import Profile
from scopelight.model.rendezvous.of_profile import host_of_device, met
from scopelight.model.spans import Spans


@attrs.frozen(eq=False, repr=False)
class Meetings:
    """By op what its executions in a scope waited and moved, over all devices, int64[ops, devices]; zeros for what is
    no collective, and where only one device took part."""

    wait_ps: Int64
    move_ps: Int64


def meetings_of(profile: Profile, steps: Steps, scope: Scope) -> Meetings:
    """The meetings of the ops of a profile."""
    executions = profile.executions
    shape = (len(executions.ops), len(executions.devices))
    wait_ps, move_ps = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    if len(executions.devices) < 2 or not any(work_of(op) is Work.COMMUNICATION for op in executions.ops):
        return Meetings(wait_ps, move_ps)
    collectives, instances = met(executions, profile.runs, profile.modules, profile.capture, profile.host_names)
    error_of = {each.host: each.clock.error_ps for each in profile.traces}
    error_ps = np.array([error_of.get(each.host) or 0 for each in executions.devices], dtype=np.int64)
    waits = collective_waits(instances.in_doubt(host_of_device(executions), error_ps))
    several = instances.took_part.sum(axis=1) > 1
    step = span_at(Spans(steps.start_ps, steps.duration_ps), executions.start_ps[collectives.row])
    of_scope = {"steps": step >= 0, "outside": step < 0, "window": np.ones(len(step), dtype=np.bool_)}[scope]
    rows = np.flatnonzero(of_scope & (instances.place >= 0))
    place, device = instances.place[rows], collectives.device[rows]
    kept = np.flatnonzero(several[place])
    place, device, op = place[kept], device[kept], executions.op[collectives.row[rows[kept]]]
    np.add.at(wait_ps, (op, device), waits.wait_ps[place, device])
    np.add.at(move_ps, (op, device), waits.move_ps(place, device))
    return Meetings(wait_ps, move_ps)
