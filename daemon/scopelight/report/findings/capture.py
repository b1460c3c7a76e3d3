"""Words: what a capture could not do as it was told."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import count

_LACKING = {"f32": template("how fast it computes"), "bandwidth": template("the bandwidth of its main memory")}


def _measured_in_part(values: Mapping[str, Any]) -> str:
    lacking = text(" and ").join(text(_LACKING[each]) if each in _LACKING else each for each in values["lacking"])
    return text(
        "Not all of what this machine can do at most could be measured ({problem}): {lacking} is not known, and without"
        " it neither is what an op is bound by.",
        problem=values["problem"],
        lacking=lacking,
    )


def _ended(values: Mapping[str, Any]) -> str:
    return text(
        "The script was ended after {most} calls of its programs: what its Python waits for may never come, for it sees"
        " zeros."
        if values["of"] == "calls"
        else "The script was ended after {most} programs: what its Python compiles them for may never come, for it sees"
        " zeros.",
        most=count(values["most"]),
    )


def _cut_short(values: Mapping[str, Any]) -> str:
    return text(
        "The script {ending}: what it would have done after that is not predicted."
        if values["error"] is None
        else "The script {ending} by {error}: what it would have done after that is not predicted."
        if values["place"] is None
        else "The script {ending} by {error} at {place}: what it would have done after that is not predicted.",
        ending=values["ending"],
        error=printable(values["error"] or ""),
        place=printable(values["place"] or ""),
    )


def _compute(values: Mapping[str, Any]) -> str:
    """Runs of before do not say whether zeros can be why."""
    may_be_for_zeros = values.get("may_be_for_zeros", values["error"] is not None)
    return text("Where that is for the zeros that it saw, let it compute, with --observe.") if may_be_for_zeros else ""


def _wrote(values: Mapping[str, Any]) -> str:
    return text(
        "The script ran on zeros, and wrote {files}."
        if len(values["files"]) == 1
        else "The script ran on zeros, and wrote {number} files: {files}.",
        number=count(len(values["files"])),
        files=listed(values["files"]),
    )


def _asks(values: Mapping[str, Any]) -> str:
    return text(
        "The script asks which device is there, at {places}, and sees a CPU: what it then does need not be what it does"
        " on a TPU.",
        places=listed(values["places"]),
    )


def _unfinished(values: Mapping[str, Any]) -> str:
    return text(
        "1 program was not compiled: {reason}."
        if values["programs"] == 1
        else "{programs} programs were not compiled: {reason}.",
        programs=count(values["programs"]),
        reason=printable(values["reason"]),
    )


WORDS = {
    "prediction-ended": Words(_ended, "Let it go on with --most-calls or --most-programs, or compute with --observe."),
    "prediction-cut-short": Words(_cut_short, _compute),
    "prediction-one-process": Words(
        "The script would join other processes (jax.distributed.initialize): here it is one, which has all devices."
    ),
    "prediction-other-devices": Words(
        "The script has {devices} devices by its own settings, where {target} has {asked}: for those it is predicted.",
        "Leave XLA_FLAGS and jax_num_cpu_devices alone to have all of them.",
    ),
    "prediction-libtpu-flags": Words("The compiler had the flags of LIBTPU_INIT_ARGS: {flags}."),
    "prediction-wrote-files": Words(_wrote, "Make again what is to be used."),
    "prediction-spawned-processes": Words(
        "The script started other processes (multiprocessing): those do not run on zeros, and nothing of them is"
        " predicted. What they write is what they computed here."
    ),
    "prediction-asks-for-device": Words(
        _asks,
        "Where that chooses another way for TPUs, choose it here by an argument or a variable of the environment.",
    ),
    "prediction-decided-by-zeros": Words(
        "Lines decide by values that programs return, which are zeros here: {places}. Where they are computed, the"
        " script may go another way.",
        "To see it, let it compute, with --observe.",
        one="The line {places} decides by a value that a program returns, which is zero here. Where it is computed, the"
        " script may go another way.",
        number="places",
    ),
    "prediction-unfinished": Words(_unfinished, "Try again: what was compiled is kept."),
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
    "steps-left-out": Words(
        "{left_out} of the {asked} steps asked for are not in the window, which begins with step {first} and ended"
        " after {window_s}: its limit was reached, the script traced itself, or it ended.",
        one="1 of the {asked} steps asked for is not in the window, which begins with step {first} and ended after"
        " {window_s}: its limit was reached, the script traced itself, or it ended.",
        number="left_out",
    ),
    "steps-of-several-functions": Words(
        "Several functions are called {name}, and the calls of all of them were counted as steps: the window may begin"
        " elsewhere than was meant.",
        "Give the function that is the step a name of its own, or annotate the steps with"
        " jax.profiler.StepTraceAnnotation.",
    ),
    "step-passed": Words(
        "The window begins with step {first} instead of {step}, which had passed before it was known what the step is,"
        " or while the script traced itself.",
        "Annotate the steps with jax.profiler.StepTraceAnnotation.",
    ),
    "step-not-reached": Words("The script ended before step {step}, with which the window was to begin."),
    "epoch-not-reached": Words(
        "No step of epoch {epoch} was seen, with which the window was to begin.",
        "Mark epochs with scopelight.epoch() where no loop of the script shows them.",
    ),
    "no-slow-step": Words("No step was captured that takes more than {ratio} times as long as the others."),
    "slow-steps-sought": Words(
        "Slow steps were looked for in {traced} of {steps} steps, so {chance_ratio} of them are captured on average. It"
        " cost {cost_s} per step, {cost_ratio} of the time."
    ),
    "no-window-of-watched-file": Words("No window was captured: {path} asked for nothing that could be."),
    "watched-file-unchanged": Words("No window was captured: {path} was not changed while the script ran."),
    "watched-file-unclear": Words("{path} was changed and asks for nothing that could be captured: {problem}"),
    "larger-than-asked": Words(
        "The trace of the window has {trace_bytes}, and {most_bytes} at most were asked for: how much is written in a"
        " second is known from the trace before it alone."
    ),
    "rest-left-out": Words(
        "The limit was reached after {window_s}, when {trace_bytes} were written: what the script did afterwards is"
        " left out."
    ),
    "seconds-left-out": Words(
        "The limit was reached after {window_s}: {left_out_s} of what was asked for are left out."
    ),
    "limit-reached": Words(
        "The limit was reached after {window_s}: the window holds {complete} complete steps, and {left_out} of the"
        " {asked} asked for are left out.",
        one="The limit was reached after {window_s}: the window holds {complete} complete steps, and 1 of the {asked}"
        " asked for is left out.",
        number="left_out",
    ),
    "clock-set-back": Words(
        "The clock of this machine was set back by {moved_s} while the trace ran: jax's profiler lost what ran in the"
        " {moved_s} after that, or a part of it.",
        "Run it again.",
    ),
    "clock-set-forward": Words(
        "The clock of this machine was set forward by {moved_s} while the trace ran: what was under way then seems to"
        " have taken that much longer.",
        "Run it again.",
    ),
    "steps-cut": Words(
        "The borders of the capture cut steps: {before} executions of ops before the first complete step and {after}"
        " after the last, {cut_ps} in all, are in no step; what was under way at the borders is not in the trace."
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
        "The capture was made in the script's own process ({reason}), which looks into no trace: steps are the calls of"
        " the compiled function that came again first, or the window is one of time where none did.",
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
