"""Words: for what a run is predicted, how far that is to be believed, and of what there is no estimate."""

from collections.abc import Mapping
from typing import Any, Final

from scopelight.report.findings.words import Words, as_said, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text
from scopelight.report.numbers import count, share

_TRUST: Final = template(
    "it orders lines and compares variants, and promises no milliseconds: fusions that are bound by memory were right"
    " within 2 %, some ops up to 3.5 times too long, and nothing overlaps."
)


def _predicted_for(values: Mapping[str, Any]) -> str:
    target = printable(values["target"])
    device = printable(values["device"])
    named = text("{device} ({target})", device=device, target=target) if target else device
    compiler = printable(values["compiler"])
    said = text("Predicted for {device} by {compiler}", device=named, compiler=compiler) if compiler else ""
    return f"{said or text('Predicted for {device}', device=named)}: {text(_TRUST)}"


def _without_estimate(values: Mapping[str, Any]) -> str:
    said = text(
        "{kinds} of {of_kinds} kinds of op, {executions} executions a step, have no estimate and count as nothing"
        " ({categories})"
        if values["is_of_step"]
        else "{kinds} of {of_kinds} kinds of op, {executions} executions, have no estimate and count as nothing"
        " ({categories})",
        kinds=count(values["kinds"]),
        of_kinds=count(values["of_kinds"]),
        executions=count(values["executions"]),
        categories=listed(values["categories"]),
    )
    if values["places"]:
        said = text("{said}, at {places}", said=said, places=listed(values["places"]))
    if values["bytes_ratio"] is None:
        return f"{said}."
    return text("{said}: they move {ratio} of the bytes.", said=said, ratio=share(values["bytes_ratio"]))


def _uncounted(values: Mapping[str, Any]) -> str:
    loops = values["loops"]
    return text(
        "How often the loop at {loops} runs its program does not say: its body counts once."
        if len(loops) == 1
        else "How often the loops at {loops} run their programs do not say: their bodies count once.",
        loops=listed(loops),
    )


def _without_programs(values: Mapping[str, Any]) -> str:
    return text(
        "Of {programs} programs nothing is predicted, for they were not compiled: {names}."
        if values["programs"] != 1
        else "Of {names} nothing is predicted, for it was not compiled.",
        programs=count(values["programs"]),
        names=listed(values["names"]),
    )


def _collectives(values: Mapping[str, Any]) -> str:
    return text(
        "Collectives take as long as {device} needs to send their bytes over all of its links at once ({rate} as"
        " published), as if nobody waited.",
        device=printable(values["device"]),
        rate=as_said("bytes_per_s", values["link_bytes_per_s"]),
    )


WORDS = {
    "predicted-for": Words(_predicted_for),
    "not-predicted": Words(
        "Nothing ran: a prediction says what programs would do on a device, and nothing of hosts, links and time.",
        "See which lines its time goes to.",
    ),
    "prediction-without-estimate": Words(_without_estimate),
    "prediction-collectives": Words(_collectives),
    "prediction-loops-uncounted": Words(_uncounted),
    "prediction-without-programs": Words(_without_programs),
}
