"""Words: how the figures of ops are to be read."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.language import template, text
from scopelight.report.numbers import share

_SET_PEAK = template("The setting scopelight.peakFlops gives a type its peak.")


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
    "computes-faster-than-measured": Words(
        "Computes faster than the measured peak: the machine was busier while it was measured, or this work suits it"
        " better."
    ),
    "moves-faster-than-measured": Words(
        "Moves bytes faster than the measured peak of main memory: data was in the processor's caches."
    ),
    "computes-faster-than-set": Words("Computes faster than the peak that the settings give: the device can do more."),
    "moves-faster-than-set": Words(
        "Moves bytes faster than the peak that the settings give: data was in caches, or the device can do more."
    ),
    "computes-faster-than-device": Words(
        "Computes faster than the peak of the device: not all of the FLOPs on record were computed."
    ),
    "moves-faster-than-device": Words(
        "Moves bytes faster than the peak of main memory: data was in caches, or not all of the bytes on record were"
        " moved."
    ),
    "moves-faster-than-space": Words(
        "Moves bytes of {space} faster than its peak: not all of the bytes on record were moved."
    ),
    "in-loop": Words("In one run of the program it runs {runs} times: its FLOPs and bytes are those of all of them."),
    "several-kernels": Words(
        "One run of it takes {kernels} kernels, and the FLOPs and bytes on record are counted for each of them, as"
        " XProf does. They are those of the whole op: what it computed and moved, and its rates, are 1/{kernels} of"
        " these."
    ),
    "ops-of-several-kernels": Words(_several_kernels),
}
