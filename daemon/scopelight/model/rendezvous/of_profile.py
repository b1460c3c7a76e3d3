"""What met in a profile, and the clocks of its hosts by it."""

from collections.abc import Mapping, Sequence

import numpy as np

from scopelight.formats.columns import Int32
from scopelight.model.devices.global_ids import global_ids
from scopelight.model.executions import Executions, ProgramRuns
from scopelight.model.profile import HostClock
from scopelight.model.rendezvous.clocks import clocks_of
from scopelight.model.rendezvous.collectives import Collectives, collectives_of
from scopelight.model.rendezvous.instances import Instances, instances_of
from scopelight.model.rendezvous.programs import program_numbers
from scopelight.model.rendezvous.runs import RunColumns, matched_runs
from scopelight.model.run.information import RunInformation
from scopelight.program.hlo.nouns import HloModule


def met(
    executions: Executions,
    runs: ProgramRuns,
    modules: Sequence[HloModule],
    capture: RunInformation | None,
    host_names: Sequence[str],
) -> tuple[Collectives, Instances]:
    """The executions of collectives of a profile, and what of them met."""
    ids = global_ids(executions.devices, modules, capture, host_names)
    collectives = collectives_of(executions, ids)
    unknown = np.full(len(runs), -1, dtype=np.int64)
    end_ps = runs.start_ps + runs.duration_ps
    programs = program_numbers(executions)[runs.program]
    columns = RunColumns(programs, runs.device, runs.run_id, runs.start_ps, end_ps, unknown)
    moments = matched_runs(columns, host_of_device(executions))
    return collectives, instances_of(collectives, moments, np.array(ids, dtype=np.int64))


def host_of_device(executions: Executions) -> Int32:
    """By device its host."""
    return np.array([each.host for each in executions.devices], dtype=np.int32)


def told_clocks(
    executions: Executions,
    runs: ProgramRuns,
    modules: Sequence[HloModule],
    capture: RunInformation | None,
    names: Sequence[str],
) -> Mapping[str, HostClock]:
    """By host, called as in ``names``, what the collectives of a profile tell of its clock against the first one's."""
    _, instances = met(executions, runs, modules, capture, names)
    clocks = clocks_of(instances, host_of_device(executions), len(names))
    told = zip(names, clocks.offset_ps.tolist(), clocks.error_ps.tolist(), clocks.applied_ps.tolist(), strict=True)
    return {
        name: HostClock(offset_ps, error_ps, applied_ps) if error_ps >= 0 else HostClock()
        for name, offset_ps, error_ps, applied_ps in told
    }
