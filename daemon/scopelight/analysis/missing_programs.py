"""Why a profile, or a scope of it, has no op that ran, or no compiled program, where that is no question of capture."""

from collections.abc import Iterable

import attrs

from scopelight.analysis.options import Scope
from scopelight.findings import PROFILE_SCRIPT, Finding, empty, show_view, warning
from scopelight.model.profile import Profile
from scopelight.model.run.prediction import PredictedOutcome, Prediction


def why_no_program(profile: Profile) -> Finding | None:
    """Why there is none; None where nothing says it."""
    if profile.is_cut_off:
        return empty("programs-cut-off", PROFILE_SCRIPT)
    if profile.is_memory_alone:
        return empty("memory-alone-no-programs", show_view("memory-profile"))
    return None


def no_program_held(profile: Profile) -> Finding:
    """Why there is no compiled program: ops ran, and a runtime other than jax's stored none of it, or nothing ran."""
    if len(profile.executions):
        return why_no_program(profile) or empty("ops-without-programs", show_view("ops"))
    return nothing_ran(profile)


def step_not_told(prediction: Prediction) -> Finding | None:
    """That no time of a step can be told, for something that the script called is missing in what was compiled.

    What is missing may be the step, and what is left may repeat as well. None where all that was called was compiled.
    """
    called = {each.program for each in prediction.calls}
    missing = [each for each in prediction.programs if each.number in called and each.outcome != "compiled"]
    if not missing and not prediction.was_cancelled:
        return None

    def named(*outcomes: PredictedOutcome) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.name for each in missing if each.outcome in outcomes))

    return warning(
        "no-steps-predicted-in-part",
        unfit=named("no-room"),
        refused=named("refused", "not-lowered", "too-few-devices"),
        not_compiled=named("crashed", "memory-limit", "cancelled"),
    )


def without_room(profile: Profile) -> Finding | None:
    """That programs of a prediction do not fit, so that they have no time; None where all that were called fit."""
    if profile.prediction is None:
        return None
    called = {each.program for each in profile.prediction.calls}
    unfit = [each for each in profile.prediction.programs if each.outcome == "no-room" and each.number in called]
    if not unfit:
        return None
    names = tuple(dict.fromkeys(each.name for each in unfit))
    return empty("predicted-without-room", show_view("fit"), names=names, device=profile.prediction.device)


def without_room_told(profile: Profile) -> Finding | None:
    """The same of a view that shows the others: how far what it shows is all that there is to know."""
    unfit = without_room(profile)
    return None if unfit is None else attrs.evolve(unfit, severity="warning")


def unsaid(findings: Iterable[Finding], why_empty: Iterable[Finding]) -> tuple[Finding, ...]:
    """``findings`` of a view without what is said already by why it is empty."""
    said = {each.code for each in why_empty}
    return tuple(each for each in findings if each.code not in said)


def nothing_in_scope(profile: Profile, scope: Scope) -> Finding:
    """Why there is no op in a scope of a profile that has some."""
    return without_room(profile) or empty("no-op-outside-steps" if scope == "outside" else "no-op-in-steps")


def nothing_ran(profile: Profile) -> Finding:
    """Why there is no op: the script of a prediction called none, the profile is memory or a program alone, its runtime
    records none, or nothing computed.
    """
    if profile.prediction is not None:
        return without_room(profile) or _none_predicted(profile.prediction)
    if profile.is_memory_alone:
        return empty("memory-alone-no-op-time", show_view("memory-profile"))
    if profile.is_cut_off:
        return empty("ops-cut-off", PROFILE_SCRIPT)
    runtime = profile.silent_runtime
    if runtime is not None:
        jax = profile.capture.versions.get("jax") if profile.capture is not None else None
        name = "jax" if jax is not None else runtime
        return empty("runtime-records-no-ops", show_view("timeline"), runtime=name, version=jax)
    return empty("programs-never-ran" if profile.modules else "no-op-ran", PROFILE_SCRIPT)


def _none_predicted(prediction: Prediction) -> Finding:
    """Why no op is predicted, where it is not for want of memory."""
    if prediction.calls:
        return empty("none-compiled-of-called", show_view("fit"))
    return empty("none-called-of-compiled", programs=len(prediction.programs))
