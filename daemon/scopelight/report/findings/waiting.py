"""Words: what is to be known of the lines that devices waited for."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words
from scopelight.report.language import text


def _names(values: Mapping[str, Any]) -> str:
    # Python's own names, such as <module>, are of nothing that is called by them.
    names = ", ".join(each if each.endswith(">") else f"{each}()" for each in values["names"])
    return text("{names} and {more} more", names=names, more=values["more"]) if values["more"] else names


def _not_told_apart(values: Mapping[str, Any]) -> str:
    return text(
        "Lines of {names} ran too often to be told apart: what devices wait there is on the lines that call them.",
        names=_names(values),
    )


def _told_once(values: Mapping[str, Any]) -> str:
    return text(
        "Loops within a step, in {names}, have too many passes to tell each line each time: what devices wait for such"
        " a loop is on one of its lines. In a function of its own it has its name.",
        names=_names(values),
    )


WORDS = {
    "host-not-in-profile": Words(
        "Where the script stood while devices were idle was not recorded, so most idle time is on no line.",
        "Capture it with Scopelight to see which lines devices wait for.",
    ),
    "host-left-out": Words(
        "Where the script stood while devices were idle was left out of this run, so most idle time is on no line.",
        "Capture it without --no-host to see which lines devices wait for.",
    ),
    "lines-not-told-apart": Words(_not_told_apart),
    "lines-of-loops-told-once": Words(_told_once),
    "steps-short-for-samples": Words(
        "Steps take {step_ps} and samples are {apart_ps} apart: what the script does in Python may stand on the line"
        " that launches next, reads a result or waits.",
        "Python 3.12 and later tell of each line.",
    ),
    "host-clock-was-set": Words(
        "The machine's clock was set by {clock_step_ps} while the script was recorded: waiting may be off by as much.",
        "Capture again.",
    ),
}
