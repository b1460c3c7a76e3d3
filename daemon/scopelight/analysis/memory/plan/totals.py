"""Sums over the allocations of one memory space."""

from collections.abc import Callable

import attrs

from scopelight.analysis.memory.plan.available import available_to_programs
from scopelight.analysis.memory.plan.program_memory import SpaceMemory
from scopelight.analysis.memory.plan.records import CapacityBasis, MemoryTotals
from scopelight.analysis.memory.profile.allocator_memory import at_the_peak, usage_bytes
from scopelight.model.devices.peaks import find_peaks
from scopelight.model.profile import Profile
from scopelight.program.memory.buffers import Allocation, ModuleBuffers


@attrs.frozen(slots=True)
class Capacity:
    """Bytes of main memory; of several devices the least."""

    bytes: int
    basis: CapacityBasis


def main_memory_capacity(profile: Profile) -> Capacity | None:
    """What allocators of devices can give out, as the memory profile has it; else what the devices have as chips. Of a
    prediction what the compiler gives to programs.

    An allocator has less than the chip: the runtime keeps a part for itself. None where nothing says either. Raises
    `FormatError` where a file of the profile cannot be read any more.
    """
    if profile.prediction is not None:
        available_bytes = available_to_programs(profile.prediction)
        if available_bytes is not None:
            return Capacity(available_bytes, "compiler")
    told = [
        at_the_peak(events, usage_bytes(events)).capacity_bytes
        for events in profile.memory.allocators()
        if events.kind == "accelerator" and events.ordinal is not None and len(events)
    ]
    told += [each.bytes_limit for reading in profile.memory.readings().readings for each in reading.devices.values()]
    limits = [each for each in told if each is not None]
    if limits:
        return Capacity(min(limits), "allocator")
    peaks, _ = find_peaks(profile, None)
    chips = [each.memory_bytes for each in peaks if each.memory_bytes is not None]
    return Capacity(min(chips), "device") if chips else None


def memory_totals(buffers: ModuleBuffers, space: SpaceMemory, capacity: Capacity | None) -> MemoryTotals:
    """The totals of a space. Arguments, outputs and aliases overlap: an output may lie in an argument.

    How XLA makes ``CompiledMemoryStats`` of allocations is how jax's ``compiled.memory_analysis()`` does.
    """

    def total(counts: Callable[[Allocation], bool]) -> int:
        return sum(each.bytes for each in buffers.allocations if each.memory_space == space.number and counts(each))

    temporary = total(lambda each: not each.is_indefinite)
    without_fragmentation = space.peak_bytes - total(lambda each: each.is_indefinite and not each.is_thread_local)
    is_known = buffers.basis == "assigned" and temporary > 0
    return MemoryTotals(
        argument_bytes=total(lambda each: each.is_parameter),
        output_bytes=total(lambda each: each.is_live_out),
        temporary_bytes=temporary,
        alias_bytes=total(lambda each: each.is_parameter and each.is_live_out),
        constant_bytes=total(lambda each: each.is_constant),
        thread_local_bytes=total(lambda each: each.is_thread_local),
        indefinite_bytes=total(lambda each: each.is_indefinite and not each.is_thread_local),
        allocated_bytes=total(lambda each: not each.is_thread_local),
        stack_bytes=buffers.scoped_bytes.get(space.number),
        temporary_without_fragmentation_bytes=without_fragmentation,
        fragmentation_ratio=(temporary - without_fragmentation) / temporary if is_known else None,
        capacity_bytes=capacity.bytes if capacity is not None else None,
        capacity_basis=capacity.basis if capacity is not None else None,
    )
