"""Words: what a capture could not do as it was told."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words
from scopelight.report.language import template, text

_LACKING = {"f32": template("how fast it computes"), "bandwidth": template("the bandwidth of its main memory")}


def _measured_in_part(values: Mapping[str, Any]) -> str:
    lacking = text(" and ").join(text(_LACKING[each]) if each in _LACKING else each for each in values["lacking"])
    return text(
        "Not all of what this machine can do at most could be measured ({problem}): {lacking} is not known, and without"
        " it neither is what an op is bound by.",
        problem=values["problem"],
        lacking=lacking,
    )


WORDS = {
    "window-by-time": Words(
        "No repeating step was found, so {window_s} of the script were captured instead of {steps} steps.",
        one="No repeating step was found, so {window_s} of the script were captured instead of 1 step.",
        number="steps",
    ),
    "window-by-hand": Words(
        "The window was asked for before {steps} steps that repeat were found: it is {window_s} of the script.",
        one="The window was asked for before a step that repeats was found: it is {window_s} of the script.",
        number="steps",
    ),
    "window-with-few-steps": Words(
        "The window holds {complete} complete steps instead of {steps}: the steps take unequal time, or have ended.",
        one="The window holds 1 complete step instead of {steps}: the steps take unequal time, or have ended.",
        number="complete",
    ),
    "window-of-bursts": Words(
        "The steps come in bursts of {burst_ps}, so {complete} of them were captured instead of {steps}: fast and slow "
        "ones count as often as they come."
    ),
    "window-of-other-steps": Words(
        "The window holds steps of {name}, and {before} repeated before it: an evaluation may have taken all of it.",
        "Capture more steps, or annotate them with jax.profiler.StepTraceAnnotation.",
    ),
    "script-still-compiles": Words(
        "The script still compiles: {programs} programs were compiled inside the window.",
        one="The script still compiles: 1 program was compiled inside the window.",
        number="programs",
    ),
    "script-ended-early": Words(
        "The script ended before its window closed: only the part of it with most steps is shown."
    ),
    "captured-alone": Words(
        "The capture was made in the script's own process ({reason}), which looks into no trace: its window is one of time.",
        "Install scopelight beside jax, or name an interpreter that has it with the option conductor.",
    ),
    "process-not-captured": Words("{process} is not in the profile: {why}."),
    "trace-not-looked-at": Words("The trace could not be looked at ({problem})."),
    "trace-unreadable": Words("{problem}"),
    "source-edited-meanwhile": Words("{path} was edited while the script ran: its lines may have moved."),
    "memory-not-sampled": Words("{problem}."),
    "host-not-recorded": Words(
        "Where the script's threads stood could not be recorded ({problem}), so idle time has no lines."
    ),
    "plan-not-kept": Words("The compiler's plan in {path} could not be kept ({problem})."),
    "machine-not-measured": Words("What this machine can do at most could not be measured: {problem}."),
    "machine-measured-in-part": Words(
        _measured_in_part, "Profile again while the machine is quiet: what is lacking is then measured."
    ),
}
