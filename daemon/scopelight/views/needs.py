"""What views need of a run, and what of it a run has."""

from typing import Literal

from scopelight.model.profile import Profile

Need = Literal["executions", "programs", "memory", "traces"]
"""Ops that ran; compiled programs, whether they ran or not; what was in memory, and when; anything on a timeline."""


def has(profile: Profile) -> tuple[Need, ...]:
    """What a run has. Nothing large is read for it: a trace may hold what allocators did, so it counts as memory."""
    memory = profile.memory
    found: dict[Need, bool] = {
        "executions": len(profile.executions) > 0,
        "programs": len(profile.programs) > 0,
        "memory": profile.duration_ps > 0 or bool(memory.snapshots) or bool(memory.readings().readings),
        "traces": profile.duration_ps > 0,
    }
    return tuple(need for need, is_there in found.items() if is_there)
