"""Overlap: when a device computed, when it communicated, and how much of the one was hidden behind the other.

Of a window, *computation* is the union of the spans in which the device computed, *communication* the union of those
in which it exchanged data with other devices or waited for them, *pure communication* the part of it in which nothing
was computed, and *free time* what is left of the window: computation ∪ communication ∪ free time is the window, and
free time meets neither of the others. Copies between host and device, and asynchronous ones between memories, are
transfers: a class of their own, which may lie in any of the three. Spans are kept, not sums, so that they can be drawn.
"""

import attrs
import numpy as np

from scopelight.analysis.device_time.busy import without
from scopelight.formats.columns import Bool, Int32, Int64
from scopelight.formats.kernels import kernel
from scopelight.model.async_ops import async_ops
from scopelight.model.executions import Executions
from scopelight.model.op_work import Work, works_of
from scopelight.model.spans import Spans, merge_spans


@attrs.frozen(eq=False, repr=False)
class Overlap:
    """What one device did in a window. All spans are sorted and disjoint."""

    computation: Spans
    communication: Spans
    pure_communication: Spans
    free: Spans
    transfer: Spans

    @property
    def overlap_ratio(self) -> float | None:
        """Time of communication ∩ computation over that of communication: the share of it that was hidden. None where
        nothing was communicated."""
        whole = int(self.communication.duration_ps.sum())
        return 1.0 - int(self.pure_communication.duration_ps.sum()) / whole if whole else None


@attrs.frozen(eq=False, repr=False)
class AsyncSpans:
    """When asynchronous ops went on, each from its start to its end, by what they did."""

    communication: Spans
    transfer: Spans


def async_spans(work: Int32, start_ps: Int64, duration_ps: Int64) -> AsyncSpans:
    """The spans of asynchronous ops, of which ``work`` tells what each did (a `Work`)."""
    end_ps = start_ps + duration_ps
    communication, transfer = work == Work.COMMUNICATION, work == Work.TRANSFER
    return AsyncSpans(
        merge_spans(start_ps[communication], end_ps[communication]), merge_spans(start_ps[transfer], end_ps[transfer])
    )


def overlap(executions: Executions, device: int, window_ps: int, recorded: AsyncSpans | None = None) -> Overlap:
    """The overlap on a device (a row of ``executions.devices``) in the window from 0 to ``window_ps``.

    Asynchronous collectives count from their start to their end: as ``recorded`` where the backend does so (a TPU's
    asynchronous line), else from the execution that starts one to the end of the execution that waits for it.
    """
    works = works_of(executions)
    if recorded is None:
        pairs = async_ops(executions, device)
        recorded = async_spans(works[executions.op[pairs.start]], pairs.start_ps, pairs.duration_ps)
    rows = executions.rows_of(device)
    columns = (executions.start_ps[rows], executions.duration_ps[rows], executions.op[rows])
    bare = bare_containers(*columns, works == Work.CONTAINER)
    nothing = np.zeros(len(bare), dtype=np.bool_)
    computation = merged(*columns, works == Work.COMPUTATION, bare, window_ps)
    communication = _union(
        merged(*columns, works == Work.COMMUNICATION, nothing, window_ps), recorded.communication, window_ps
    )
    window = merge_spans(np.zeros(1, dtype=np.int64), np.full(1, window_ps, dtype=np.int64))
    return Overlap(
        computation=computation,
        communication=communication,
        pure_communication=without(communication, computation),
        free=without(without(window, computation), communication),
        transfer=_union(merged(*columns, works == Work.TRANSFER, nothing, window_ps), recorded.transfer, window_ps),
    )


def _union(spans: Spans, others: Spans, window_ps: int) -> Spans:
    """The union of spans inside the window with others."""
    if not len(others.start_ps):
        return spans
    start_ps = np.concatenate((spans.start_ps, np.maximum(others.start_ps, 0)))
    others_end_ps = np.minimum(others.start_ps + others.duration_ps, window_ps)
    return merge_spans(start_ps, np.concatenate((spans.start_ps + spans.duration_ps, others_end_ps)))


@kernel
def _find_bare(start: Int64, duration: Int64, op: Int32, is_container: Bool, bare: Bool) -> None:
    following = np.int64(np.iinfo(np.int64).max)
    for row in range(len(start) - 1, -1, -1):
        if is_container[op[row]]:
            bare[row] = following >= start[row] + duration[row]
        else:
            following = start[row]


def bare_containers(start_ps: Int64, duration_ps: Int64, op: Int32, is_container: Bool) -> Bool:
    """Whether each execution is a container in which no other execution begins; ``is_container`` is by op."""
    bare = np.zeros(len(start_ps), dtype=np.bool_)
    _find_bare(start_ps, duration_ps, op, is_container, bare)
    return bare


@kernel
def _merge(
    start: Int64,
    duration: Int64,
    op: Int32,
    is_chosen: Bool,
    also: Bool,
    window: int,
    into_start: Int64,
    into_end: Int64,
) -> int:
    count = 0
    for row in range(len(start)):
        if not (is_chosen[op[row]] or also[row]):
            continue
        first, last = max(start[row], 0), min(start[row] + duration[row], window)
        if last <= first:
            continue
        if count and first <= into_end[count - 1]:
            into_end[count - 1] = max(into_end[count - 1], last)
        else:
            into_start[count], into_end[count] = first, last
            count += 1
    return count


def merged(start_ps: Int64, duration_ps: Int64, op: Int32, is_chosen: Bool, also: Bool, window_ps: int) -> Spans:
    """The union of the executions whose op is chosen, or that ``also`` names, inside the window from 0 on."""
    into_start_ps, into_end_ps = np.empty((2, len(start_ps)), dtype=np.int64)
    count = _merge(start_ps, duration_ps, op, is_chosen, also, window_ps, into_start_ps, into_end_ps)
    return Spans(into_start_ps[:count].copy(), into_end_ps[:count] - into_start_ps[:count])
