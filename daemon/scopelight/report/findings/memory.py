"""Words: memory as the compiler planned it, and as it was used."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, as_said
from scopelight.report.language import template, text

_WITH_PROGRAMS = template("Capture again with Scopelight, which keeps the compiled programs in the profile.")


def _unreadable(values: Mapping[str, Any]) -> str:
    problem = values["problem"]
    return text(
        "The memory of {program} cannot be read: {problem}",
        program=as_said("program", values["program"]),
        problem=text("it names no buffers.") if problem is None else as_said("problem", problem),
    )


def _nothing_in_space(values: Mapping[str, Any]) -> str:
    space = values["memory_space"]
    return text(
        "{program} keeps nothing in {space}.",
        program=as_said("program", values["program"]),
        space=text("this memory") if space is None else space,
    )


WORDS = {
    "array": Words("array"),
    "other-allocations": Words("other allocations"),
    "stack-of-programs": Words("stack"),
    "temporaries": Words("temporaries of {program}"),
    "rest-of-process": Words("interpreter, libraries, programs with their donated arguments and temporaries"),
    "rest-of-process-without-arguments": Words("interpreter, libraries, programs with their temporaries"),
    "all-of-process-without-snapshot": Words("all of the process (no snapshot by then)"),
    "all-of-process-of-less": Words("all of the process (the snapshot of then holds more)"),
    "memory-unreadable": Words(_unreadable, "Choose another program, or capture again."),
    "memory-without-programs": Words(
        "The profile does not hold the compiled programs that ran, which say what they keep in memory.", _WITH_PROGRAMS
    ),
    "memory-of-tensorflow": Words(
        "TensorFlow ran on the CPU without programs that XLA compiled, which would say what they keep in memory.",
        "Look at the memory profile instead.",
    ),
    "nothing-in-space": Words(_nothing_in_space, "Choose another program or memory space."),
    "buffers-estimated": Words(
        "The file does not say which buffers the compiler assigned: lifetimes are estimated from the order of the"
        " instructions."
    ),
    "lifetimes-estimated": Words(
        "The compiler's plan does not say when all of its memory is in use: lifetimes are estimated from the order of"
        " the instructions."
    ),
    "allocations-without-lifetime": Words(
        "Nothing says when {allocations} of its allocations are in use, and for what: counted throughout, as memory of"
        " no buffer.",
        one="Nothing says when 1 of its allocations is in use, and for what: counted throughout, as memory of no"
        " buffer.",
        number="allocations",
    ),
    "memory-of-no-line-of-yours": Words(
        "All that {program} has in memory at its peak was passed to it, or is of no line of yours.",
        "Choose another program, or open the folder that its lines are in.",
    ),
    "program-names-no-lines": Words(
        "The program {program} names no lines of source: what compiled it left them out.", "See its buffers instead."
    ),
    "programs-never-ran-no-memory": Words(
        "Nothing of these compiled programs ran, so no memory was in use.",
        "See their memory as the compiler planned it.",
    ),
    "memory-not-recorded": Words(
        "The profile holds no allocations, samples or snapshots of memory.",
        "Capture again with Scopelight, where it is a script of jax: memory is sampled without --no-memory.",
    ),
    "allocations-not-told-apart": Words(
        "{memory}: more allocations were recorded than were in use at the peak, so they are not told apart."
    ),
    "snapshot-unreadable": Words("{problem}"),
    "snapshots-count-the-impossible": Words(
        "The snapshots {snapshots} count an array larger than all memory there is: it never got any, and counts as of"
        " unknown size.",
        one="The snapshot {snapshots} counts an array larger than all memory there is: it never got any, and counts as"
        " of unknown size.",
        number="snapshots",
    ),
    "snapshots-count-more-than-was": Words(
        "The snapshots {snapshots} count {counted_bytes} of arrays, while the process had {resident_bytes} in memory at"
        " most: arrays that were not computed yet, or never got memory, are counted too.",
        one="The snapshot {snapshots} counts {counted_bytes} of arrays, while the process had {resident_bytes} in"
        " memory at most: arrays that were not computed yet, or never got memory, are counted too.",
        number="snapshots",
    ),
    "readings-unreadable": Words("{file} cannot be read ({problem})."),
    "readings-cut-off": Words("{file} is cut off: what was read later is missing.", "Copy the whole run again."),
    "readings-damaged": Words(
        "{lines} lines of {file} are damaged.", one="1 line of {file} is damaged.", number="lines"
    ),
}
