"""The records of syncs: which waits for results expose what devices then wait for."""

from scopelight.analysis.device_time.busy import busy_spans
from scopelight.analysis.records import ExposureRecord, SyncRecord
from scopelight.analysis.totals.centre import Centre
from scopelight.analysis.totals.frames import UserFrames
from scopelight.analysis.totals.waiting.charging import WaitingLine, WaitingOfScope
from scopelight.analysis.totals.waiting.syncs import syncs_of

_LEAST_EXPOSED_RATIO = 0.02
"""What exposed less of the waiting of a line is not named with it."""


def exposures(line: WaitingLine, waiting: WaitingOfScope, frames: UserFrames) -> tuple[ExposureRecord, ...]:
    """The lines whose waits for results exposed the waiting of a line, longest first."""
    return tuple(
        ExposureRecord(**frames.place_fields(waiting.exposing[key]), waiting_ps=exposed_ps)
        for key, exposed_ps in sorted(line.exposed_ps.items(), key=lambda each: (-each[1], each[0]))
        if exposed_ps >= _LEAST_EXPOSED_RATIO * line.waiting_ps
    )


def sync_records(centre: Centre) -> tuple[SyncRecord, ...]:
    """The lines at which the host waits for results in complete steps, those that expose most first."""
    scoped = centre.scoped("steps")
    if not scoped.step_count or not scoped.waiting.pieces.waits:
        return ()
    waiting, devices = scoped.waiting, scoped.totals.device_rows
    busy = [busy_spans(centre.executions, device) for device in devices]
    found = syncs_of(waiting.pieces.waits, busy, centre.steps, centre.frames)
    exposed_ps = dict.fromkeys(found, 0)
    for line in waiting.lines.values():
        for key, part_ps in line.exposed_ps.items():
            exposed_ps[key] = exposed_ps.get(key, 0) + part_ps
    records = [
        SyncRecord(
            **centre.frames.place_fields(sync.frame),
            waits_per_step=sync.waits / len(centre.steps),
            exposed_ps=exposed_ps[key],
            at_best_step_ps=sync.at_best_ps,
            shares_cores=any(centre.executions.devices[device].is_on_the_host for device in devices),
        )
        for key, sync in found.items()
    ]
    return tuple(sorted(records, key=lambda each: (-each.exposed_ps, each.path or "", each.line)))
