"""Words: what was read of the host's resources, and what could be better."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import template, text

_CAPTURE_AGAIN = template("Capture again with Scopelight, which reads them while the script runs.")
_PARTS = {
    "all": template("The resources of the host"),
    "machine": template("What the machine's cores did"),
    "processes": template("What the script's processes did"),
    "memory": template("The machine's memory"),
    "pressure": template("The machine's pressure"),
    "disks": template("What the machine's disks moved"),
    "networks": template("What the machine's networks moved"),
    "control-group": template("The limits of the script's control group"),
    "GPUs": template("The use of GPUs"),
    "TPUs": template("The use of TPUs"),
}


def _part_failed(values: Mapping[str, Any]) -> str:
    part = values["part"]
    return text(
        "{part} could not be read: {problem}.",
        part=text(_PARTS[part]) if part in _PARTS else as_said("part", part),
        problem=as_said("problem", values["problem"]),
    )


def _fewer_threads(values: Mapping[str, Any]) -> str:
    said = text(
        "Threads of the script waited for a core for {waiting} of the time in which they could have gone on: more of"
        " them work at once than the one core that it may use allows."
        if values["usable_cores"] == 1
        else "Threads of the script waited for a core for {waiting} of the time in which they could have gone on: more"
        " of them work at once than the {cores} cores that it may use.",
        waiting=as_said("waiting_ratio", values["waiting_ratio"]),
        cores=as_said("cores", values["usable_cores"]),
    )
    thread = values["thread"]
    return f"{said} {text('{thread} waited longest.', thread=as_said('thread', thread))}" if thread else said


WORDS = {
    "resources-not-read": Words(
        "The resources of the host were not read: the script was captured with --no-resources.",
        "Capture again without it.",
    ),
    "resources-of-server": Words(
        "The resources of the host were not read: the job was captured through its profiler server.",
        "Start the script with Scopelight to have them.",
    ),
    "resources-older-run": Words(
        "The resources of the host were not read: the run was captured by an older version, or their file was removed.",
        _CAPTURE_AGAIN,
    ),
    "resources-of-another": Words(
        "The profile was captured by another program, which keeps nothing of the resources of the host.",
        _CAPTURE_AGAIN,
    ),
    "resources-too-few": Words(
        "The resources of the host were read less than twice, since the script ended too soon or its file was lost.",
        "Capture again, and let the script run for longer.",
    ),
    "resources-part-failed": Words(_part_failed),
    "resources-not-kept": Words("Not all that was read of the host's resources could be kept: {problem}."),
    "resources-without-clock": Words(
        "The profile does not say when it was made: times count from the first reading, and steps cannot be shown."
    ),
    "resources-outside-window": Words("Nothing was read while the profile was made: means are of all that was read."),
    "resources-coarse": Words(
        "A step takes {step_ps}, and {period_ps} lie between two readings: the mean of one step says little, that of"
        " all steps is right.",
        "For longer steps, or with readings closer together, it says more.",
    ),
    "resources-short-span": Words(
        "The complete steps take {span_ps} together, and {period_ps} lie between two readings: means over them"
        " are those of the time that is read around them.",
        "Capture more steps, or with readings closer together.",
    ),
    "resources-threads-unknown": Words("The system does not tell what each thread does, so threads are not shown."),
    "resources-tpu-unknown": Words(
        "How much the TPUs were used is not known from outside: no library here tells it.",
        "Install tpu-info beside Scopelight, or see the timeline.",
    ),
    "resources-gpu-unknown": Words(
        "How much the GPUs were used is not known from outside: no driver here tells it.", "See the timeline instead."
    ),
    "resources-more-workers": Words(
        "User code took {user_ratio} of all cores and {free_cores} cores were idle, while {empty_gets_ratio} of the"
        " gets from the input's queue found it empty.",
        "Give the loader more workers.",
        one="User code took {user_ratio} of all cores and 1 core was idle, while {empty_gets_ratio} of the gets from"
        " the input's queue found it empty.",
        number="free_cores",
    ),
    "resources-more-workers-input": Words(
        "User code took {user_ratio} of all cores and {free_cores} cores were idle, while devices waited for input for"
        " {input_ratio} of the steps.",
        "Give the loader more workers, or make the data ahead of the steps on other threads or processes.",
        one="User code took {user_ratio} of all cores and 1 core was idle, while devices waited for input for"
        " {input_ratio} of the steps.",
        number="free_cores",
    ),
    "resources-more-workers-perhaps": Words(
        "User code took {user_ratio} of all cores and {free_cores} cores were idle, while the device was idle for"
        " {idle_device_ratio} of the time.",
        "Where it waits for its input, give the loader more workers.",
        one="User code took {user_ratio} of all cores and 1 core was idle, while the device was idle for"
        " {idle_device_ratio} of the time.",
        number="free_cores",
    ),
    "resources-fewer-workers": Words(
        "The kernel took {system_ratio} of all cores, with {switches} context switches a second: processes or threads"
        " get in each other's way.",
        "Use fewer workers, or give each more to do at a time.",
    ),
    "resources-fewer-threads": Words(
        _fewer_threads, "Use fewer threads or workers, or leave cores to the thread that launches the steps."
    ),
    "resources-others": Words(
        "Threads of the script waited for a core for {waiting_ratio} of the time in which they could have gone on,"
        " while other programs took {others_cores} cores.",
        "Profile on a machine that nothing else uses.",
        one="Threads of the script waited for a core for {waiting_ratio} of the time in which they could have gone on,"
        " while other programs took 1 core.",
        number="others_cores",
    ),
    "resources-throttled": Words(
        "The limit of the script's control group, {usable_cores} cores, held it back: cores were withheld for"
        " {throttled_ratio} of the time.",
        "Raise the limit, or use fewer threads and workers.",
        one="The limit of the script's control group, 1 core, held it back: cores were withheld for"
        " {throttled_ratio} of the time.",
        number="usable_cores",
    ),
}
