"""What a trace holds, seen with the eyes of the rooms to the right: the repeating step, and the files frames name."""

from pathlib import Path

from scopelight.capture.window import Observation


def preload() -> None:
    """Import what `observe` needs while the script is still starting."""
    import scopelight.analysis.steps.steps  # noqa: PLC0415
    import scopelight.model.opening.profile  # noqa: F401, PLC0415


def observe(file: Path) -> Observation:
    """Look for the repeating program run. A trace that cannot be read shows nothing, with the reason."""
    from scopelight.analysis.steps.steps import find_repetition  # noqa: PLC0415
    from scopelight.formats.errors import FormatError  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415

    try:
        profile = open_profile(file)
    except FormatError as error:
        return Observation(None, reason=str(error), is_unreadable=True)
    found = find_repetition(profile)
    period_ps = found.period_ps
    return Observation(
        period_seconds=None if period_ps is None else period_ps / 1e12,
        periods=found.count,
        executions=len(profile.executions),
        reason=found.reason,
    )


def named_files(file: Path) -> set[str]:
    """Paths, as recorded, of all files that a frame of the captured programs names."""
    from scopelight.formats.errors import FormatError  # noqa: PLC0415
    from scopelight.model.opening.profile import open_profile  # noqa: PLC0415
    from scopelight.model.profile import recorded_paths  # noqa: PLC0415

    try:
        profile = open_profile(file)
    except FormatError:
        return set()
    return {path for path in recorded_paths(profile) if path}
