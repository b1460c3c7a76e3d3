"""How much main memory programs can have on the devices of a profile, and who says so."""

import attrs

from scopelight.analysis.memory.plan.records import CapacityBasis
from scopelight.analysis.memory.profile.allocator_memory import at_the_peak, usage_bytes
from scopelight.model.devices.peaks import find_peaks
from scopelight.model.profile import Profile


@attrs.frozen(slots=True)
class Capacity:
    """Bytes of main memory; of several devices the least."""

    bytes: int
    basis: CapacityBasis


def main_memory_capacity(profile: Profile) -> Capacity | None:
    """What allocators of devices can give out, as the memory profile has it; else what the devices have as chips.

    An allocator has less than the chip: the runtime keeps a part for itself. None where nothing says either. Raises
    `FormatError` where a file of the profile cannot be read any more.
    """
    told = [
        at_the_peak(events, usage_bytes(events)).capacity_bytes
        for events in profile.memory.allocators()
        if events.kind == "accelerator" and events.ordinal is not None and len(events)
    ]
    told += [each.limit_bytes for reading in profile.memory.readings().readings for each in reading.devices.values()]
    limits = [each for each in told if each is not None]
    if limits:
        return Capacity(min(limits), "allocator")
    peaks, _ = find_peaks(profile, None)
    chips = [each.memory_bytes for each in peaks if each.memory_bytes is not None]
    return Capacity(min(chips), "device") if chips else None
