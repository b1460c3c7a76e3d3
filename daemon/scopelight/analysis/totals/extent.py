"""Extent: what of a profile the sums of a record are over, so that no figure is without its whole."""

from scopelight.analysis.records import ExtentRecord
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.model.profile import Profile


def whole_profile(profile: Profile, totals: InstructionTotals) -> ExtentRecord:
    """All of the profile, on the devices of ``totals``; of a program that did not run, one run of it."""
    if not len(profile.executions) and profile.modules:
        return ExtentRecord(kind="program", steps=0, duration_ps=0, devices=0)
    return ExtentRecord(kind="profile", steps=0, duration_ps=profile.duration_ps, devices=len(totals.device_rows))


def complete_steps(steps: int, duration_ps: int, whole: ExtentRecord) -> ExtentRecord:
    """``steps`` complete steps that took ``duration_ps`` together; ``whole`` where there are none."""
    if not steps or whole.kind == "program":
        return whole
    return ExtentRecord(kind="steps", steps=steps, duration_ps=duration_ps, devices=whole.devices)
