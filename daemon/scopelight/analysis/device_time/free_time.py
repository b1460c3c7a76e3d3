"""Free time told apart: what a device did while it neither computed nor exchanged data with other devices."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from scopelight.analysis.device_time.busy import without
from scopelight.analysis.device_time.overlap import merged
from scopelight.model.op_work import Work, works_of
from scopelight.model.profile import Profile
from scopelight.model.spans import Spans

FreeTime = Literal["copy", "host", "container", "untraced", "compiling", "idle"]
"""It waited for a copy, or for input from the host; a loop, branch or call went on between what it holds; nothing is
known, since no trace was made; it idled while the host compiled; it idled."""


def free_parts(profile: Profile, device: int, free: Spans) -> Mapping[FreeTime, Spans]:
    """What of the free time of a device (a row of ``executions.devices``) is of each kind; they sum to it.

    Of several kinds at one moment the first counts.
    """
    executions = profile.executions
    works, rows = works_of(executions), executions.rows_of(device)
    columns = (executions.start_ps[rows], executions.duration_ps[rows], executions.op[rows])
    nothing = np.zeros(len(columns[0]), dtype=np.bool_)

    def spans_of(work: Work) -> Spans:
        return merged(*columns, works == work, nothing, profile.duration_ps)

    kinds: Mapping[FreeTime, Spans | None] = {
        "copy": spans_of(Work.TRANSFER),
        "host": spans_of(Work.WAIT),
        "container": spans_of(Work.CONTAINER),
        "untraced": profile.untraced,
        "compiling": profile.compiling,
    }
    parts: dict[FreeTime, Spans] = {}
    left = free
    for kind, spans in kinds.items():
        if spans is not None and len(spans.start_ps):
            rest = without(left, spans)
            parts[kind] = without(left, rest)
            left = rest
    parts["idle"] = left
    return parts
