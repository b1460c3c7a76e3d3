"""Extent: what of a profile the sums of a record are over, and what the devices did in it."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from scopelight.analysis.device_time.busy import covered_ps
from scopelight.analysis.device_time.division import Division
from scopelight.analysis.device_time.stalls import STALLS
from scopelight.analysis.options import Scope
from scopelight.analysis.records import ExtentRecord, StallRecord, WallRecord
from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans

PROGRAM: Final = ExtentRecord(kind="program", steps=0, duration_ps=0, devices=0, has_steps=False)
"""One run of a program that did not run."""


def traced_ps(profile: Profile) -> int:
    """The window without the moments that were not traced: of these it is not known what a device did."""
    return profile.duration_ps - (0 if profile.untraced is None else int(profile.untraced.duration_ps.sum()))


def extent_of(window_ps: int, steps: Steps, totals: InstructionTotals, scope: Scope) -> ExtentRecord:
    """The extent of a scope in a window of which so much was traced, on the devices of ``totals``."""
    inside_ps = int(steps.duration_ps.sum())
    durations_ps = {"steps": inside_ps, "window": window_ps, "outside": window_ps - inside_ps}
    return ExtentRecord(
        kind=scope,
        steps=len(steps) if scope == "steps" else 0,
        duration_ps=durations_ps[scope],
        devices=len(totals.device_rows),
        has_steps=len(steps) > 0,
    )


def wall_of(
    extent: ExtentRecord,
    devices: Sequence[int],
    division: Division,
    compiling: Mapping[int, Spans],
    steps: Steps,
    in_steps: Collection[int],
) -> WallRecord | None:
    """What ``devices`` did in an extent; None where there are none.

    ``compiling`` is by device when a host compiled while it ran nothing. To those that are not ``in_steps`` the whole
    window is outside of them.
    """
    if not devices:
        return None
    chosen = {"steps": slice(0, -1), "outside": slice(-1, None), "window": slice(None)}[extent.kind]
    busy_ps = int(division.busy_ps[list(devices), chosen].sum())
    by_cause = division.stalled_ps[list(devices), chosen].sum(axis=(0, 1)).tolist()
    stalls = [StallRecord(cause, stalled_ps) for cause, stalled_ps in zip(STALLS, by_cause, strict=True) if stalled_ps]
    others = [row for row in devices if row not in in_steps] if extent.kind == "outside" else []
    wall_ps = extent.duration_ps * len(devices) + int(steps.duration_ps.sum()) * len(others)
    idle_ps = wall_ps - busy_ps - sum(by_cause)
    return WallRecord(
        wall_ps=wall_ps,
        busy_ps=busy_ps,
        stalled_ps=sum(by_cause),
        idle_ps=idle_ps,
        compiling_ps=sum(
            int(compiling[row].duration_ps.sum()) if row in others else _inside_ps(compiling[row], extent, steps)
            for row in devices
            if row in compiling
        ),
        stalls=tuple(sorted(stalls, key=lambda each: -each.stalled_ps)),
    )


def _inside_ps(spans: Spans, extent: ExtentRecord, steps: Steps) -> int:
    """How much of sorted, disjoint spans lies in an extent."""
    whole_ps = int(spans.duration_ps.sum())
    if extent.kind == "window":
        return whole_ps
    inside_ps = int(covered_ps(spans, steps.start_ps, steps.start_ps + steps.duration_ps).sum())
    return inside_ps if extent.kind == "steps" else whole_ps - inside_ps
