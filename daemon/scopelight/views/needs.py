"""What views need of a run, and what of it a run has."""

from typing import Literal

from scopelight.model.profile import Profile
from scopelight.model.run.names import COMPATIBILITY_FILE, HOST_SAMPLES_FILE

Need = Literal["executions", "waiting", "programs", "memory", "traces", "resources", "compatibility"]
"""Ops that ran, or are predicted to; between which a device may have waited, for they were measured; compiled programs,
whether they ran or not; what was in memory, and when; anything on a timeline; what the host did, read beside it; what a
TPU would do with each op."""


def has(profile: Profile) -> tuple[Need, ...]:
    """What a run has. Nothing large is read for it: a trace may hold what allocators did, so it counts as memory."""
    memory = profile.memory
    folder = profile.capture.path if profile.capture is not None else None
    found: dict[Need, bool] = {
        "executions": len(profile.executions) > 0,
        "waiting": len(profile.executions) > 0 and profile.prediction is None,
        "programs": len(profile.programs) > 0,
        "memory": (profile.duration_ps > 0 and profile.prediction is None)
        or bool(memory.snapshots)
        or bool(memory.readings().readings),
        "traces": profile.duration_ps > 0 and profile.prediction is None,
        "resources": folder is not None and (folder / HOST_SAMPLES_FILE).is_file(),
        "compatibility": folder is not None and (folder / COMPATIBILITY_FILE).is_file(),
    }
    return tuple(need for need, is_there in found.items() if is_there)
