"""Words: how the figures of ops are to be read."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.language import template, text
from scopelight.report.numbers import count, share

_SET_PEAK = template("The setting scopelight.peakFlops gives a type its peak.")

_COMPUTED_ABOVE = {
    "calibrated": template("the machine was busier while it was measured, or their work suits it better"),
    "setting": template("the device can do more than the settings give"),
}
"""By basis of the peaks why ops compute faster than they say."""
_MOVED_ABOVE = {
    "calibrated": template("their data was in the processor's caches"),
    "setting": template("their data was in caches, or the device can do more than the settings give"),
}
"""The same of ops that move bytes faster."""
_COMPUTED_LESS = template("not all of the FLOPs on record were computed")
_MOVED_LESS = template("their data was in caches, or not all of the bytes on record were moved")
"""Why, where the peaks are those of the device."""


def _above_peak(values: Mapping[str, Any]) -> str:
    """Which rates are above their peaks, and why: a reason for computing, and one for moving bytes."""
    number, ratio = values["ops"], share(values["share_ratio"])
    said = text(
        "The rates of 1 op, {ratio} of the op time, are above a peak"
        if number == 1
        else "The rates of {number} ops, {ratio} of the op time, are above a peak",
        number=count(number),
        ratio=ratio,
    )
    basis, reasons = values["basis"], []
    if "compute" in values["limits"]:
        reasons.append(text(_COMPUTED_ABOVE.get(basis) or _COMPUTED_LESS))
    if "main" in values["limits"]:
        reasons.append(text(_MOVED_ABOVE.get(basis) or _MOVED_LESS))
    others = [each.upper() for each in values["limits"] if each not in ("compute", "main")]
    if others:
        reasons.append(text("not all of the bytes of {spaces} on record were moved", spaces=listed(others)))
    said = f"{said}: {'; '.join(reasons)}."
    if "main" in values["limits"] and values["cache_bytes_per_s"] is not None:
        cached = as_said("cache_bytes_per_s", values["cache_bytes_per_s"])
        caches = text("Caches were measured to move {rate}, a ceiling that no op is said to be bound by.", rate=cached)
        said = f"{said} {caches}"
    return said


def _bandwidth_unknown(values: Mapping[str, Any]) -> str:
    return text(
        "The bandwidth of main memory was not measured: of no op that moves bytes is it known what it is bound by."
        if values["measured"]
        else "The bandwidth of the main memory of {device} is not known: of no op that moves bytes is it known what it"
        " is bound by.",
        device=values["device"],
    )


def _know_bandwidth(values: Mapping[str, Any]) -> str:
    return text(
        "Profile again while the machine is quiet, or set scopelight.peakBandwidth to what its main memory can do."
        if values["measured"]
        else "Set scopelight.peakBandwidth to what its main memory can do."
    )


def _program_estimated(values: Mapping[str, Any]) -> str:
    loops = values["uncounted_loops"]
    if not loops:
        return text(
            "Nothing of the program ran: FLOPs and bytes are estimated for one run of it, with every branch taken."
        )
    return text(
        "Nothing of the program ran: FLOPs and bytes are estimated for one run of it, with every branch taken, and with"
        " the body of the loop {loops} run once: how often it runs the program does not say."
        if len(loops) == 1
        else "Nothing of the program ran: FLOPs and bytes are estimated for one run of it, with every branch taken, and"
        " with the body of the loops {loops} run once: how often they run the program does not say.",
        loops=listed(loops),
    )


def _types_without_peak(values: Mapping[str, Any]) -> str:
    return text(
        "Of {ratio} of the FLOPs, in {types}, the peak is not known: they count as nothing in shares of the peak, which"
        " are at least what is said.",
        ratio=share(values["flops_ratio"]),
        types=", ".join(each or text("an unknown type") for each in values["element_types"]),
    )


def _several_kernels(values: Mapping[str, Any]) -> str:
    return text(
        "{op} and {others} more, {ratio} of the op time: one run takes several kernels, and the FLOPs and bytes of the"
        " whole op are counted for each of them, as XProf does. Sums and rates that hold them are too high."
        if values["others"]
        else "{op}, {ratio} of the op time: one run takes several kernels, and the FLOPs and bytes of the whole op are"
        " counted for each of them, as XProf does. Sums and rates that hold them are too high.",
        op=as_said("op", values["op"]),
        others=values["others"],
        ratio=share(values["share_ratio"]),
    )


WORDS = {
    "program-estimated": Words(_program_estimated),
    "no-op-with-flops-and-bytes": Words(
        "Of no op are both FLOPs and bytes known.",
        "Capture with the compiled programs in the profile, as Scopelight keeps them.",
    ),
    "beside-other-ops": Words(
        "Only starts or awaits work that goes on beside other ops: what it computes and moves is not of its own time"
        " alone, so no rate is known."
    ),
    "type-without-peak": Words(
        "The peak of the type that it computes in is not known: neither is how much of it was used, nor what it is"
        " bound by.",
        _SET_PEAK,
    ),
    "type-without-peak-in-part": Words(
        "Some of the FLOPs are of a type whose peak is not known: more of compute was used than is said here.",
        _SET_PEAK,
    ),
    "types-without-peak": Words(_types_without_peak, _SET_PEAK),
    "rates-above-peak": Words(_above_peak),
    "bandwidth-unknown": Words(_bandwidth_unknown, _know_bandwidth),
    "in-loop": Words("In one run of the program it runs {runs} times: its FLOPs and bytes are those of all of them."),
    "several-kernels": Words(
        "One run of it takes {kernels} kernels, and the FLOPs and bytes on record are counted for each of them, as"
        " XProf does. They are those of the whole op: what it computed and moved, and its rates, are 1/{kernels} of"
        " these."
    ),
    "ops-of-several-kernels": Words(_several_kernels),
}
