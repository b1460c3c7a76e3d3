"""Words: what tracks show, and what characteristic events mean."""

from scopelight.report.findings.words import Words
from scopelight.report.language import template

_SLOWEST = template("It lasts until the slowest device has joined, so a part of it may be waiting.")

WORDS = {
    "track-computation": Words(
        "At least one op computed all this time; ops that overlap or follow each other at once are merged."
    ),
    "track-communication": Words(
        "The device exchanged data with other devices, or waited for them, all this time. Ops may have computed"
        " meanwhile."
    ),
    "track-pure-communication": Words(
        "The device exchanged data with other devices, or waited for them, and no op computed meanwhile."
    ),
    "track-transfers": Words(
        "Data moved between host and device, or between memories, all this time. Ops may have computed meanwhile."
    ),
    "track-free-time": Words("The device neither computed nor exchanged data with other devices."),
    "track-lines": Words(
        "The thread stood on this line, or in what it called: the interpreter told of every line of the script."
    ),
    "track-lines-estimated": Words(
        "The thread stood on this line, or in what it called, as far as samples and what the trace holds of it say."
    ),
    "track-steps": Words("A complete step as Scopelight found it: the profile records no steps of this device."),
    "track-program-runs": Words(
        "One run of a program, from the start of the first of its ops on this device to the end of the last."
    ),
    "track-ops-of-kernels": Words(
        "One execution of an op, from the start of the first of its kernels on a stream to the end of the last."
    ),
    "track-async-ops": Words(
        "An asynchronous op, from the op that starts it to the end of the op that waits for it, if there is one."
    ),
    "track-scopes": Words(
        "The device was in this part of the program: from the start of the first to the end of the last of the ops of"
        " that name that follow each other. Gaps between them are inside."
    ),
    "event-all-reduce": Words(
        "A sum across replicas: the devices combine their values, and each gets the result.", _SLOWEST
    ),
    "event-reduce-scatter": Words("The devices combine their values, and each gets a part of the result.", _SLOWEST),
    "event-all-gather": Words("Each device sends its part to all others, so that each has the whole.", _SLOWEST),
    "event-all-to-all": Words("Each device sends another part of its values to every other device.", _SLOWEST),
    "event-collective-permute": Words("Each device sends its values to one other device.", _SLOWEST),
    "event-collective-broadcast": Words("One device sends its values to all others.", _SLOWEST),
    "event-send": Words("The device sends values to another device or to the host."),
    "event-receive": Words("The device waits for values from another device or from the host."),
    "event-send-and-receive": Words("The devices send values to each other.", _SLOWEST),
    "event-reduce": Words("The devices combine their values, and one of them gets the result.", _SLOWEST),
    "event-transfer-begins": Words(
        "A transfer between devices begins here and goes on while other ops run, until the -done of the same name."
    ),
    "event-transfer-ends": Words(
        "The device waits here for the rest of a transfer that began with the -start of the same name: this is the part"
        " that no other work hides."
    ),
    "event-infeed": Words(
        "The device waits here for the host to send its next input.",
        "Where that takes long the input pipeline is slower than the device: read ahead, or make the pipeline faster.",
    ),
    "event-outfeed": Words("The device hands results to the host here, and waits until the host has taken them."),
    "event-callback": Words("The program calls Python on the host here, and the device waits for its answer."),
    "event-compiles": Words("XLA compiles a program here, before it runs for the first time."),
    "event-compiles-in-step": Words(
        "XLA compiles a program here, inside a step: a shape, a type or a static argument is new.",
        "Steps are as fast as the others again once nothing is new.",
    ),
    "event-waits-for-ops": Words(
        "This thread handed a program's ops to other threads and waits until they are done: the ops themselves are on"
        " the threads beside it."
    ),
    "event-rendezvous": Words(
        "A device has reached a collective operation and waits for the other devices to reach it too. Nothing is"
        " computed on this thread meanwhile."
    ),
    "event-waits-for-launch": Words("The host waits until the program is handed to every device."),
    "event-waits-for-buffer": Words(
        "The host waits until nothing uses a buffer any more, because it was donated or is being deleted."
    ),
    "event-prefetch-makes": Words(
        "A prefetch thread makes an input ahead of the step that will need it. It costs a step nothing as long as it is"
        " ahead."
    ),
    "event-prefetch-taken": Words(
        "An input is taken from what prefetch threads made ahead. Where that takes long they had nothing ready."
    ),
    "event-takes-next-input": Words(
        "The program takes its next input from a tf.data pipeline. Where that takes long a step waits for its input."
    ),
    "event-pipeline-op": Words("An op of a tf.data pipeline makes its next element, with the ops before it inside."),
    "event-sends-to-infeed": Words("The host sends the next input to the device's infeed."),
    "event-pipeline-reads": Words("A stage of the input pipeline reads data."),
    "event-pipeline-prepares": Words("A stage of the input pipeline prepares data."),
    "event-pipeline-prefetches": Words(
        "A prefetch thread of the input pipeline makes data ahead of the step that will need it."
    ),
    "event-pipeline-hands-on": Words("The input pipeline hands data on to the device."),
}
