"""What the devices that ran ops can do at most, by device and as records."""

from collections.abc import Mapping

import attrs

from scopelight.analysis.ops.records import PeakRecord
from scopelight.analysis.totals.instruction_totals import InstructionTotals
from scopelight.findings import Finding, each_once
from scopelight.model.devices.peaks import OwnPeaks, Peaks, find_peaks
from scopelight.model.profile import Profile


@attrs.frozen(eq=False, repr=False)
class DevicePeaks:
    """The peaks of the devices that ran ops; where none has any, why."""

    of_device: Mapping[int, Peaks]
    """By row in `Executions.devices`; those without peaks are absent."""
    records: tuple[PeakRecord, ...]
    findings: tuple[Finding, ...]
    """Why FLOP rates have no peak, or it may be less than the devices can do."""


def device_peaks(profile: Profile, totals: InstructionTotals, own: OwnPeaks | None) -> DevicePeaks:
    """Peaks of the devices of ``totals``; ``own`` are the user's own."""
    peaks, why_none = find_peaks(profile, own)
    by_name = {each.device: each for each in peaks}
    names = {row: totals.devices[row].name for row in totals.device_rows}
    of_device = {row: by_name[name] for row, name in names.items() if name in by_name}
    return DevicePeaks(
        of_device=of_device,
        records=tuple(peak_record(each) for each in {each.device: each for each in of_device.values()}.values()),
        findings=(
            *((why_none,) if why_none is not None else ()),
            *each_once(each.warning for each in of_device.values() if each.warning is not None),
        ),
    )


def peak_record(peaks: Peaks) -> PeakRecord:
    """The record of a device's peaks."""
    return PeakRecord(**{name: getattr(peaks, name) for name in attrs.fields_dict(PeakRecord)})
