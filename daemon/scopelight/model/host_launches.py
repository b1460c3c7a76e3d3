"""Launches: what host threads hand over to GPUs, and in which of their events one run of a program is handed over."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.formats.columns import Bool, Int64
from scopelight.formats.xspace.events import Events

_HANDING_OVER = (
    ":XLA GPU module",
    "GpuExecutable::ExecuteThunks",
    "::EnqueueExecution",
    "::ExecuteHelperOnSingleDevice",
    "::ExecuteHelper",
    "Executable::ExecuteSharded",
    "Executable::Execute",
)
"""How the names of events end in which XLA hands over one run of a program, the narrowest first.

The first is in `xla/service/gpu/gpu_executable.cc`, in every version since 2020; the others are those of PJRT's clients
around it, for profiles that were made with less detail. The widest may cover the run of a program on several devices.
"""


@attrs.frozen(eq=False, repr=False)
class ThreadLaunches:
    """What one host thread launched, and the spans in which it handed over one run of a program each."""

    correlation_id: Int64
    """What names a launch to the kernels that it launched."""
    start_ps: Int64
    run_start_ps: Int64
    """Sorted; the spans are disjoint."""
    run_end_ps: Int64


def hands_over(names: Sequence[str]) -> Bool:
    """Whether XLA hands over one run of a program in the events of each name: the narrowest of those that there are."""
    for ending in _HANDING_OVER:
        found = np.array([name.endswith(ending) for name in names], dtype=np.bool_)
        if found.any():
            return found
    return np.zeros(len(names), dtype=np.bool_)


def read_launches(events: Events, handing_over: Bool) -> ThreadLaunches | None:
    """The launches of a thread and its spans of handing over, None where it has neither."""
    correlation_id = events.integer_stats(("correlation_id",))["correlation_id"][0]
    launching = np.flatnonzero(correlation_id)
    rows = np.flatnonzero(handing_over[events.metadata])
    if not len(launching) and not len(rows):
        return None
    rows = rows[np.lexsort((-events.duration_ps[rows], events.start_ps[rows]))]
    start_ps, end_ps = events.start_ps[rows], (events.start_ps + events.duration_ps)[rows]
    # Of spans in each other the outer one counts.
    outer = start_ps >= np.concatenate(([np.iinfo(np.int64).min], np.maximum.accumulate(end_ps)))[:-1]
    return ThreadLaunches(correlation_id[launching], events.start_ps[launching], start_ps[outer], end_ps[outer])
