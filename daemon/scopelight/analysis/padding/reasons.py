"""Why a record of padding has no rows."""

from collections.abc import Sequence

from scopelight.analysis.missing_programs import nothing_ran, why_no_program
from scopelight.analysis.padding.finder import TimedProgram
from scopelight.findings import PROFILE_SCRIPT, Action, Finding, empty
from scopelight.model.devices.table import DeviceModel
from scopelight.model.profile import Profile

_SET_TARGET = Action("set-target")


def why_empty(
    profile: Profile, programs: Sequence[TimedProgram], chosen: Sequence[TimedProgram], target: DeviceModel | None
) -> Finding:
    """Why nothing is padded of the ``chosen`` ones of ``programs``, those that were held against tiles."""
    if chosen:
        predicted = target.name if target is not None and not chosen[0].program.has_tiles else None
        return empty("everything-fits", target=predicted, cut_off=profile.is_cut_off)
    if programs and target is not None:
        return empty("target-without-tiles", _SET_TARGET, target=target.name)
    if programs:
        kinds = tuple(sorted({device.kind.upper() for device in profile.executions.devices}))
        return empty("device-without-tiles", _SET_TARGET, kinds=kinds)
    known = why_no_program(profile)
    if known is not None:
        return known
    return empty("padding-without-programs", PROFILE_SCRIPT) if len(profile.executions) else nothing_ran(profile)
