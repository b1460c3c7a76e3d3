"""Words: why nothing ran or has a line, what a profile is without, and how steps were found."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text

_PROFILE_WHILE_COMPUTING = template(
    "Capture while the program computes; without a window of your own one is chosen that does."
)
_PROFILE_WITH_PROGRAMS = template("Capture again with Scopelight, which keeps the compiled programs in the profile.")

_COMPILE_OR_SEE_THE_HOST = template(
    "With TensorFlow 2.21 or newer they are recorded of functions with jit_compile=True. See what ran, on the host's"
    " threads."
)
_NEWER_OR_SEE_THE_HOST = template(
    "With jax 0.7.2 or newer ops are recorded. See when programs ran, on the host's threads."
)
_NO_OPS_OF_VERSION = template("Programs ran on the CPU, but {runtime} {version} records no ops of them there.")
_NO_OPS = template("Programs ran on the CPU, but this version of {runtime} records no ops of them there.")
_NO_COMPILED_OPS = template("TensorFlow ran on the CPU, and recorded no ops of programs that XLA compiled.")


def _records_no_ops(values: Mapping[str, Any]) -> str:
    if values["runtime"] == "TensorFlow":
        return text(_NO_COMPILED_OPS)
    if values.get("version") is None:
        return text(_NO_OPS, runtime=values["runtime"])
    return text(_NO_OPS_OF_VERSION, runtime=values["runtime"], version=printable(values["version"]))


def _read_zeros(values: Mapping[str, Any]) -> str:
    """What to do where Python read numbers of which nobody knows what it does with them."""
    places = values.get("read_zeros_at") or ()
    if not places:
        return ""
    return text(
        "The script read numbers that are zeros here, at {places}: where it waits for others, let it compute, with"
        " --observe.",
        places=listed(places),
    )


_READ_IN_PART = template("Of the plane that is cut off, {plane}, the {events} events before that were read.")
_LOST_NAMES = template(
    "The names of {lost} kinds of them are lost: ops go by numbers (#17) and have no line, and what helped with them on"
    " other threads is missing."
)
_LOST_THREADS = template("What ran on threads that come later in the file is missing: times of ops are too low.")


def _read_in_part(values: Mapping[str, Any]) -> str:
    said = [text(_READ_IN_PART, plane=printable(values["plane"]), events=as_said("events", values["events"]))]
    # Ops on planes of devices are whole: what is lost of the host's threads is none of theirs.
    if values["lost"] and values["has_ops"]:
        said.append(text(_LOST_NAMES, lost=as_said("lost", values["lost"])))
    if values["lacks_threads"] and values["has_ops"]:
        said.append(text(_LOST_THREADS))
    return " ".join(said)


def _see_the_host(values: Mapping[str, Any]) -> str:
    return text(_COMPILE_OR_SEE_THE_HOST if values["runtime"] == "TensorFlow" else _NEWER_OR_SEE_THE_HOST)


WORDS = {
    "no-op-ran": Words("No op ran on a device while the profile was made.", _PROFILE_WHILE_COMPUTING),
    "runtime-records-no-ops": Words(_records_no_ops, _see_the_host),
    "programs-never-ran": Words(
        "The file holds compiled programs, but nothing of them ran while it was made.",
        "Open a profile of a run instead, or make one.",
    ),
    "ops-of-no-line-of-yours": Words(
        "None of the {ops} ops that ran names a line of yours: the profile names lines of libraries for them, or none.",
        "If some of it is yours, open its folder, or run this from your project. See what ran by op.",
        one="The op that ran names no line of yours: the profile names one of a library for it, or none.",
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
    "no-op-outside-steps": Words(
        "No op ran outside of the complete steps.", "Look at the complete steps, or at the whole window."
    ),
    "no-op-in-steps": Words(
        "No op ran in the complete steps.", "Look at the whole window, or at what lies outside of the steps."
    ),
    "fusions-divided": Words(
        "A fusion is divided among its lines by estimated cost, max(FLOPs / peak, bytes / bandwidth), at"
        " {flops_per_byte} FLOP per byte for {kind} ({source})."
    ),
    "no-steps": Words(
        "No steps were found: none of the {program_runs} program runs in the window repeats often enough to be a step."
        " Times and shares are of the whole window.",
        "Capture for longer, or mark the steps with jax.profiler.StepTraceAnnotation.",
        one="No steps were found: only one program run lies in the window, of which times and shares are.",
        number="program_runs",
    ),
    "no-steps-predicted": Words(
        "No steps were found: none of the {program_runs} program runs that are predicted repeats often enough to be a"
        " step. Times and shares are of all of them.",
        _read_zeros,
        one="No steps were found: only one program run is predicted, of which times and shares are.",
        number="program_runs",
    ),
    "no-program-runs": Words(
        "No steps were found: no program run was recorded. Times and shares are of the whole window.",
        "Capture for longer, or mark the steps with jax.profiler.StepTraceAnnotation.",
    ),
    "programs-cut-off": Words(
        "The file was cut off, and no compiled program is left of it.",
        "Copy the whole file again, or capture again.",
    ),
    "ops-without-programs": Words(
        "Ops ran on devices, but the profile holds no compiled program of them: it was not made by jax, or without its"
        " HLO.",
        "See the ops that ran.",
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
    "plane-cut-off": Words("Of the plane that is cut off, {plane}, nothing can be told."),
    "plane-read-in-part": Words(_read_in_part, "Copy the whole file again, or capture again."),
    "op-names-cut-off": Words(
        "None of the {ops} ops that ran is known by its name: the file was cut off before the names.",
        "Copy the whole file again, or capture again.",
        one="The op that ran is not known by its name: the file was cut off before the names.",
        number="ops",
    ),
    "ops-cut-off": Words(
        "The file was cut off, and no op is left of it.",
        "Copy the whole file again, or capture again.",
    ),
    "program-unreadable": Words("{problem}"),
    "host-unreadable": Words("{problem} The session's other hosts are shown without it."),
    "session-starts-unknown": Words("Some hosts recorded no session start: their times are not aligned to each other."),
    "sessions-apart": Words("The hosts' sessions lie more than a day apart: their times are not aligned."),
    "several-sessions": Words(
        "{path} holds {sessions} profiles: the newest, {newest}, is shown.",
        "To see another, open its own folder, which `scopelight runs` and Runs list.",
    ),
    "sessions-joined": Words(
        "Its hosts stopped within a minute of each other, in folders of their own ({folders}): they are shown as one."
    ),
    "folder-seen-in-part": Words(
        "{path} has more folders than are looked into: a newer profile may be in one of the others.",
        "Name a folder further down.",
    ),
    "devices-not-told-apart": Words(
        "This version of jax does not record which of {devices} devices ran an op: they are shown as one."
    ),
    "frames-mixed-up": Words(
        "jax {version} mixes up the source frames of programs for several devices: their ops may stand on each other's"
        " lines.",
        "With jax 0.8.1, or 0.9 and newer, they are right.",
    ),
    "path-ambiguous": Words("{recorded} may be {files}: its lines are shown under the recorded path."),
}
