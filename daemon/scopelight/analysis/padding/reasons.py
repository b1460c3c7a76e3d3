"""Why a record of padding has no rows, and what to do."""

from collections.abc import Sequence

from scopelight.analysis.missing_programs import why_no_program
from scopelight.analysis.padding.finder import TimedProgram
from scopelight.model.devices.table import DeviceModel
from scopelight.model.profile import Profile


def why_empty(
    profile: Profile, programs: Sequence[TimedProgram], chosen: Sequence[TimedProgram], target: DeviceModel | None
) -> tuple[str, str | None]:
    """Why nothing is padded of the ``chosen`` ones of ``programs``, those that were held against tiles."""
    if chosen:
        return _fits(profile, chosen, target), None
    if programs:
        return _without_tiles(profile, target)
    known = why_no_program(profile)
    if known is not None:
        return known
    if len(profile.executions):
        return (
            "The profile does not hold the compiled programs that ran.",
            "Capture again with `scopelight run`, which keeps the compiled programs in the profile.",
        )
    return (
        "No op ran on a device while the profile was made.",
        "Capture while the program computes: `scopelight run SCRIPT` chooses the window itself.",
    )


def _fits(profile: Profile, chosen: Sequence[TimedProgram], target: DeviceModel | None) -> str:
    tiles = f"the tiles of {target.name}" if target is not None and not chosen[0].program.has_tiles else "its tiles"
    if profile.is_cut_off:
        return (
            f"Every array and every product that is left of the file fits {tiles}, but it was cut off: what was in the"
            " rest is not known."
        )
    return f"Every array and every product fits {tiles}."


def _without_tiles(profile: Profile, target: DeviceModel | None) -> tuple[str, str]:
    if target is not None:
        return (
            f"{target.name} lays arrays in memory as they are: nothing is padded.",
            "Choose a TPU as the target, such as TPU v5e.",
        )
    kinds = " and ".join(sorted({device.kind.upper() for device in profile.executions.devices}))
    where = f"ran on a {kinds}" if kinds else "was not compiled for a TPU"
    return (
        f"The program {where}, where arrays are not padded to tiles.",
        "Choose the TPU to predict padding for: the setting scopelight.target, or --target on the command line.",
    )
