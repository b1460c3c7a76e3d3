"""Why a profile has no op that ran, or no compiled program, where that is no question of how it was captured."""

from scopelight.findings import PROFILE_SCRIPT, Finding, empty, show_view
from scopelight.model.profile import Profile


def why_no_program(profile: Profile) -> Finding | None:
    """Why there is none; None where nothing says it."""
    if profile.is_cut_off:
        return empty("programs-cut-off", PROFILE_SCRIPT)
    if profile.is_memory_alone:
        return empty("memory-alone-no-programs", show_view("memory-profile"))
    return None


def nothing_ran(profile: Profile) -> Finding:
    """Why there is no op: the profile is memory or a program alone, or was made while nothing computed."""
    if profile.is_memory_alone:
        return empty("memory-alone-no-op-time", show_view("memory-profile"))
    return empty("programs-never-ran" if profile.modules else "no-op-ran", PROFILE_SCRIPT)
