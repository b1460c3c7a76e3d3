"""Sums over the allocations of one memory space."""

from collections.abc import Callable

from scopelight.analysis.memory.plan.capacity import Capacity
from scopelight.analysis.memory.plan.program_memory import SpaceMemory
from scopelight.analysis.memory.plan.records import MemoryTotals
from scopelight.program.memory.buffers import Allocation, ModuleBuffers


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
