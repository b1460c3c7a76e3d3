"""The analyses of ops, each from a profile to its record. Who needs several of them makes the table of ops once.

``target`` is the TPU that a program is taken to be compiled for which does not say it.
"""

from scopelight.analysis.ops.flops import flops_record
from scopelight.analysis.ops.op_profile import op_profile_record
from scopelight.analysis.ops.records import FlopsRecord, OpProfileGrouping, OpProfileRecord, OpsRecord, RooflineRecord
from scopelight.analysis.ops.roofline import roofline_record
from scopelight.analysis.ops.statistics import ops_record
from scopelight.analysis.ops.table import op_table
from scopelight.analysis.totals.frames import LineOptions
from scopelight.model.devices.peaks import OwnPeaks
from scopelight.model.devices.table import DeviceModel
from scopelight.model.profile import Profile


def op_statistics(
    profile: Profile,
    options: LineOptions | None = None,
    own_peaks: OwnPeaks | None = None,
    device: str | None = None,
    target: DeviceModel | None = None,
) -> OpsRecord:
    """Every op that ran. Raises `LookupError` with a sentence where ``device`` is none that ran."""
    return ops_record(op_table(profile, options, own_peaks, device, target))


def op_profile(
    profile: Profile,
    options: LineOptions | None = None,
    own_peaks: OwnPeaks | None = None,
    device: str | None = None,
    grouping: OpProfileGrouping = "category",
) -> OpProfileRecord:
    """The ops as a tree. Raises `LookupError` as `op_statistics` does."""
    return op_profile_record(op_table(profile, options, own_peaks, device), grouping)


def flops(
    profile: Profile,
    options: LineOptions | None = None,
    own_peaks: OwnPeaks | None = None,
    device: str | None = None,
    target: DeviceModel | None = None,
) -> FlopsRecord:
    """FLOPs of the model, its scopes and ops. Raises `LookupError` as `op_statistics` does."""
    return flops_record(op_table(profile, options, own_peaks, device, target))


def roofline(
    profile: Profile,
    options: LineOptions | None = None,
    own_peaks: OwnPeaks | None = None,
    device: str | None = None,
) -> RooflineRecord:
    """Ops and programs under the roofline. Raises `LookupError` as `op_statistics` does."""
    return roofline_record(op_table(profile, options, own_peaks, device))
