"""Why a profile has no compiled program where that is its file's fault or nature, and what to do."""

from scopelight.model.profile import Profile


def why_no_program(profile: Profile) -> tuple[str, str] | None:
    """The reason and the remedy; None where nothing in the file tells."""
    if profile.is_cut_off:
        return (
            "The file was cut off, and no compiled program is left of it.",
            "Copy the whole file again, or capture again with `scopelight run`.",
        )
    if profile.is_memory_alone:
        return (
            "It holds what was in memory and no trace, so no compiled program was kept.",
            "Look at the memory profile instead: `scopelight show memory-profile`.",
        )
    return None
