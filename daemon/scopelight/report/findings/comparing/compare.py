"""Words: what is to be known of a comparison before its figures."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, listed
from scopelight.report.language import template, text
from scopelight.report.numbers import count

_GROUPINGS = {
    "line": template("lines with time"),
    "op": template("ops"),
    "scope": template("ops with scopes"),
    "step": template("complete steps"),
    "memory": template("memory planned by a compiler"),
    "shape": template("ops with shapes"),
}


def _nothing(values: Mapping[str, Any]) -> str:
    return text("Neither run has {what} that could be compared.", what=text(_GROUPINGS.get(values["by"], values["by"])))


def _changes(values: Mapping[str, Any]) -> str:
    return listed(values["changes"])


def _unlike(what: str) -> Words:
    return Words(lambda values: text(what, changes=_changes(values)))


def _arguments(values: Mapping[str, Any]) -> str:
    before, after = (" ".join(values[side]) or text("none") for side in ("before", "after"))
    return text(
        "The scripts ran with other arguments: {before} \N{RIGHTWARDS ARROW} {after}.", before=before, after=after
    )


def _one_run_each(values: Mapping[str, Any]) -> str:
    if values["on_cpu"]:
        return text("One run of each: exact figures compare, but no time on a CPU can be told from noise.")
    return text(
        "One run of each: exact figures compare; times of ops on the devices from a tenth on, other times not at all."
    )


def _mixed(values: Mapping[str, Any]) -> str:
    runs = count(values["runs"])
    if values["side"] == "before":
        return text("The {runs} runs before are of different code: their FLOPs or bytes differ.", runs=runs)
    return text("The {runs} runs after are of different code: their FLOPs or bytes differ.", runs=runs)


WORDS = {
    "nothing-to-compare-by": Words(
        _nothing,
        template("Compare by another grouping: --by line, op, scope, step, memory or shape."),
        in_editor=template("Compare by another grouping: lines, ops, scopes, step, memory or shapes."),
    ),
    "compared-one-run-each": Words(
        _one_run_each,
        template("Rounds of both tell more: scopelight run --against REVISION SCRIPT."),
        in_editor=template("Rounds of both tell more, made in a terminal: scopelight run --against REVISION SCRIPT."),
    ),
    "compared-in-rounds": Words("{rounds} rounds of a run of each, in turn."),
    "compared-out-of-turn": Words(
        "The {rounds} runs of each side were not made in turn: what happened to the machine in between looks like a"
        " change, so that nothing is said of wall clocks and CPU time.",
        template("Rounds are made by: scopelight run --against REVISION SCRIPT."),
        in_editor=template("Rounds are made in a terminal: scopelight run --against REVISION SCRIPT."),
    ),
    "compared-uneven-rounds": Words(
        "Of {before} and {after} runs the first {rounds} of each are compared in pairs; the others are left out."
    ),
    "compared-with-itself": Words("Both sides are the same run."),
    "compared-mixed-runs": Words(_mixed),
    "compared-without-steps": Words(
        "Not every run has complete steps: times are of the windows, which may be of other lengths.",
    ),
    "compared-with-prediction": Words("One side is what a compiler expects of a device, the other was measured."),
    "compared-unlike-devices": Words(
        "The runs are of other devices: {before_devices} × {before} \N{RIGHTWARDS ARROW} {after_devices} × {after}."
    ),
    "compared-unlike-versions": _unlike(template("Other versions: {changes}.")),
    "compared-unlike-environment": _unlike(template("Another environment: {changes}.")),
    "compared-unlike-options": _unlike(template("Other options of jax: {changes}.")),
    "compared-unlike-arguments": Words(_arguments),
    "compared-unlike-scripts": Words("They are runs of different scripts: {before} before, {after} after."),
}
