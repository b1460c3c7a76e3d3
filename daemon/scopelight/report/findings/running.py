"""Words: why nothing ran or has a line, what a profile is without, and how steps were found."""

from scopelight.report.findings.words import Words
from scopelight.report.language import template

_PROFILE_WHILE_COMPUTING = template(
    "Capture while the program computes; without a window of your own one is chosen that does."
)
_PROFILE_WITH_PROGRAMS = template("Capture again with Scopelight, which keeps the compiled programs in the profile.")

WORDS = {
    "no-op-ran": Words("No op ran on a device while the profile was made.", _PROFILE_WHILE_COMPUTING),
    "programs-never-ran": Words(
        "The file holds compiled programs, but nothing of them ran while it was made.",
        "Open a profile of a run instead, or make one.",
    ),
    "ops-of-no-line-of-yours": Words(
        "None of the {ops} ops that ran names a line of yours: what ran was made by the compiler, or by libraries.",
        "If some of it is yours, open its folder, or run this from your project. See what ran by op.",
        one="The op that ran names no line of yours: it was made by the compiler, or by libraries.",
        number="ops",
    ),
    "ops-without-source": Words(
        "None of the {ops} ops that ran names a line of source: the profile holds neither the compiled programs nor"
        " source positions.",
        _PROFILE_WITH_PROGRAMS,
        one="The op that ran names no line of source: the profile holds neither the compiled programs nor source"
        " positions.",
        number="ops",
    ),
    "memory-alone-no-op-time": Words(
        "The profile holds what was in memory and no trace, so the time of no op is known.",
        "Look at the memory profile instead.",
    ),
    "op-time-outside-steps": Words(
        "{outside_ratio} of the op time ran outside complete steps: shares include it, times per step do not."
    ),
    "fusions-divided": Words(
        "A fusion is divided among its lines by estimated cost, max(FLOPs / peak, bytes / bandwidth), at"
        " {flops_per_byte} FLOP per byte for {kind} ({source})."
    ),
    "no-steps": Words(
        "No steps were found: none of the {program_runs} program runs in the window repeats often enough to be a step.",
        "Capture for longer, or mark the steps with jax.profiler.StepTraceAnnotation.",
        one="No steps were found: only one program run lies in the window.",
        number="program_runs",
    ),
    "no-program-runs": Words(
        "No steps were found: no program run was recorded.",
        "Capture for longer, or mark the steps with jax.profiler.StepTraceAnnotation.",
    ),
    "programs-cut-off": Words(
        "The file was cut off, and no compiled program is left of it.",
        "Copy the whole file again, or capture again.",
    ),
    "memory-alone-no-programs": Words(
        "The profile holds what was in memory and no trace, so no compiled program was kept.",
        "Look at the memory profile instead.",
    ),
    "recorded-note": Words("{text}"),
    "profiler-warning": Words("{message}"),
    "profiler-error": Words("The profiler reported an error: {message}"),
    "file-cut-off": Words(
        "{path} is cut off: at byte {offset}, {fault}; the {planes} complete planes before it were read.",
        one="{path} is cut off: at byte {offset}, {fault}; the one complete plane before it was read.",
        number="planes",
    ),
    "program-unreadable": Words("{problem}"),
    "session-starts-unknown": Words("Some hosts recorded no session start: their times are not aligned to each other."),
    "sessions-apart": Words("The hosts' sessions lie more than a day apart: their times are not aligned."),
    "several-sessions": Words("{path} holds {sessions} profiles: the newest, {newest}, is shown."),
    "devices-not-told-apart": Words(
        "This version of jax does not record which of {devices} devices ran an op: they are shown as one."
    ),
    "path-ambiguous": Words("{recorded} may be {files}: its lines are shown under the recorded path."),
}
