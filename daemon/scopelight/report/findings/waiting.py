"""Words: what is to be known of the lines that devices waited for."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words
from scopelight.report.language import text


def _not_told_apart(values: Mapping[str, Any]) -> str:
    names = ", ".join(f"{each}()" for each in values["names"])
    if values["more"]:
        names = text("{names} and {more} more", names=names, more=values["more"])
    return text(
        "Lines of {names} ran too often to be told apart: what devices wait there is on the lines that call them.",
        names=names,
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
