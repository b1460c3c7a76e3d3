"""Memory near its capacity, and what is kept for the backward pass and could be computed again."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.advice.observed import Observed
from scopelight.analysis.advice.records import Advice
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.analysis.memory.plan.records import MemoryLinesRecord
from scopelight.analysis.memory.plan.totals import main_memory_capacity
from scopelight.analysis.memory.plan.views import memory_lines
from scopelight.findings import show_view

_NEAR: Final = 0.9
"""Of the capacity."""
_MUCH: Final = 0.7
"""Of the capacity: with less of it in use nothing need be computed again."""
_LEAST_RESIDUALS: Final = 0.05
"""Of the peak, on one line."""


def memory_near_capacity(observed: Observed) -> Iterator[Advice]:
    """A little more, as of a larger batch, and the script runs out of it."""
    plan, capacity_bytes = _plan(observed)
    if plan is None or plan.peak_bytes is None or plan.peak_bytes < _NEAR * capacity_bytes:
        return
    first = plan.lines[0] if plan.lines else None
    frame = None if first is None or first.path is None else observed.frame_at(first.path, first.line)
    yield observed.advice(
        "memory-near-capacity",
        frame,
        is_by_text=True,
        confidence="high",
        action=show_view("memory-viewer"),
        peak_bytes=plan.peak_bytes,
        capacity_bytes=capacity_bytes,
        used_ratio=plan.peak_bytes / capacity_bytes,
    )


def residuals_worth_checkpoint(observed: Observed) -> Iterator[Advice]:
    """What is computed again takes no memory meanwhile: at best all that a line keeps."""
    plan, capacity_bytes = _plan(observed)
    if plan is None or not plan.peak_bytes or plan.peak_bytes < _MUCH * capacity_bytes:
        return
    line = max(plan.lines, key=lambda each: each.residual_bytes, default=None)
    if line is None or line.residual_bytes < _LEAST_RESIDUALS * plan.peak_bytes or line.path is None:
        return
    yield observed.advice(
        "residuals-worth-checkpoint",
        observed.frame_at(line.path, line.line),
        is_by_text=True,
        saving_bytes=line.residual_bytes,
        basis="bytes",
        action=show_view("memory-viewer"),
        residual_bytes=line.residual_bytes,
        peak_bytes=plan.peak_bytes,
        peak_ratio=line.residual_bytes / plan.peak_bytes,
    )


def _plan(observed: Observed) -> tuple[MemoryLinesRecord | None, int]:
    """What the program of the largest peak keeps, where its memory has a capacity: that of a host is not its own."""
    if observed.shares_cores:
        return None, 0
    capacity = main_memory_capacity(observed.profile)
    if capacity is None or not observed.profile.programs:
        return None, 0
    return memory_lines(observed.subject, ProgramMemoryOptions()), capacity.bytes
