"""Late: where a host stood while its devices had nothing to do, and others waited for them."""

import numpy as np

from scopelight.analysis.device_time.busy import busy_spans, covered_ps
from scopelight.analysis.hosts.record import LatePlace
from scopelight.analysis.totals.centre import Centre
from scopelight.model.profile import Profile

_LEAST_RATIO = 0.5
"""Of the idle time, that a place must have to be where it went."""


def late_place(profile: Profile, centre: Centre) -> LatePlace | None:
    """The line that most of the idle time of a host's devices is on; without lines, what the script marked it as."""
    scoped = centre.scoped("steps")
    steps = max(1, scoped.step_count)
    waiting = scoped.waiting
    longest = max(waiting.lines.values(), key=lambda each: each.waiting_ps, default=None)
    if longest is not None and longest.waiting_ps >= _LEAST_RATIO * waiting.idle_ps:
        return LatePlace(longest.frame, None, round(longest.waiting_ps / steps))
    idle_ps: dict[str, int] = {}
    ops = {op.name for op in profile.executions.ops}
    for device in range(len(profile.executions.devices)):
        busy = busy_spans(profile.executions, device)
        for each in profile.annotations():
            if each.name not in ops:
                free_ps = (each.end_ps - each.start_ps) - covered_ps(busy, each.start_ps, each.end_ps)
                idle_ps[each.name] = idle_ps.get(each.name, 0) + int(np.maximum(free_ps, 0).sum())
    name = max(idle_ps, key=lambda each: idle_ps[each], default=None)
    if name is None or idle_ps[name] < _LEAST_RATIO * waiting.idle_ps:
        return None
    return LatePlace(None, name, round(idle_ps[name] / steps))
