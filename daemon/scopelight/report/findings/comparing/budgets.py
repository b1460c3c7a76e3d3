"""Words: what is wrong with budgets, what their values are of, and why some have none."""

from collections.abc import Mapping
from typing import Any

from scopelight.report.findings.words import Words, listed
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.language import template, text

_WANTED = {
    "ps": template("a number of milliseconds, 0 or more, such as 160"),
    "bytes": template("a number of GiB, 0 or more, such as 12"),
    "count": template("a whole number, such as 1"),
    "ratio": template('a share of the whole, such as "20 %" or 0.2'),
}
_WANTED_CHANGE = template('a change, such as "2 %" or 0.02')
_PLACES = {
    "run": template("the whole run"),
    "function": template("a function"),
    "file": template("a file"),
}


def _nearest(values: Mapping[str, Any]) -> str:
    nearest = values["nearest"]
    return text("Is “{nearest}” meant?", nearest=_cut(nearest)) if nearest else ""


def _known(values: Mapping[str, Any]) -> str:
    said = text("Budgets are called {names}.", names=", ".join(values["known"]))
    return f"{_nearest(values)} {said}".strip()


def _bad_value(values: Mapping[str, Any]) -> str:
    is_change = values["compares"] and values["unit"] == "ratio"
    return text(
        "“{value}” cannot be the limit of {name}: write {wanted}.",
        value=_cut(values["value"]),
        name=values["name"],
        wanted=text(_WANTED_CHANGE if is_change else _WANTED[values["unit"]]),
    )


def _absent(values: Mapping[str, Any]) -> str:
    if values["config"] is None:
        return text("There is no table [tool.scopelight.budgets] in a pyproject.toml above the run's script, or here.")
    return text("There is no table [tool.scopelight.budgets] in {config}.", config=_cut(values["config"]))


def _wrong_place(values: Mapping[str, Any]) -> str:
    return text(
        "{name} is no budget of {place}: it is one of {places}.",
        name=values["name"],
        place=text(_PLACES[values["place"]]),
        places=listed([text(_PLACES[each]) for each in values["places"]]),
    )


def _cut(name: str) -> str:
    return printable(shortened(name))


WORDS = {
    "budgets-absent": Words(
        _absent,
        "Set budgets there: step_ms = 200, compilations = 1.",
    ),
    "budgets-empty": Words(
        "The table [tool.scopelight.budgets] has no budget in it.", "Set some: step_ms = 200, compilations = 1."
    ),
    "budgets-unreadable": Words("The file of budgets is no TOML: {error}."),
    "budgets-no-table": Words("tool.scopelight.budgets must be a table."),
    "budget-unknown": Words("There is no budget called “{name}”.", _known),
    "budget-value-wrong": Words(_bad_value),
    "budget-not-of-place": Words(_wrong_place),
    "budget-of-line": Words(
        "“{place}” names a line, which is another one after the next edit above it.",
        "Name the function, or the file alone: “{file}:FUNCTION”, “{file}”.",
    ),
    "budget-place-unquoted": Words(
        "“{place}” is read as tables in each other.", 'Put the place in quotes: "{place}".step_ms = 160.'
    ),
    "budget-place-unclear": Words(
        "“{place}” is neither a budget nor a place.",
        "A place is a file or a function in one: “train.py”, “train.py:train_step”.",
    ),
    "budget-file-unknown": Words("There is no file {file}, and the run has none.", _nearest),
    "budget-function-unknown": Words("There is no function {function} in {file}.", _nearest),
    "budget-without-steps": Words(
        "The run has no complete step.",
        "Capture whole steps: scopelight run --steps 5 SCRIPT.",
        in_editor=template("Capture whole steps: profile again with the setting scopelight.capture.steps."),
    ),
    "budget-of-prediction": Words("Nothing ran on a device: times of predictions are held to no budget."),
    "budget-place-not-in-run": Words("The run knows no time on {place}: its code may have been another."),
    "budget-place-without-time": Words("The run spent no time on {place}."),
    "budget-peak-measured": Words("It is the most that an allocator of a device had in use."),
    "budget-peak-planned": Words(
        "It is what the compiler planned for {program}, without what else the process holds: nothing measured the"
        " devices' memory."
    ),
    "budget-without-memory": Words("Neither was the devices' memory measured, nor is a compiled program known."),
    "budget-most-compiled": Words("It is how often {function} was compiled, most of all functions."),
    "budget-never-compiled": Words(
        "No program of {function} was compiled: it may run inside that of another function."
    ),
    "budget-without-compilations": Words("No program of the steps is known."),
    "budget-without-padding": Words(
        "The device has no matrix unit that sizes are rounded up to, or the programs are not known.",
        "Name the TPU to predict padding for: --target 'TPU v5e'.",
        in_editor=template("Choose the TPU to predict padding for in the setting scopelight.target."),
    ),
    "budget-without-base": Words(
        "There is no run to compare with.",
        "Name one: scopelight check --against RUN.",
        in_editor=template("Choose one with the command Compare with…."),
    ),
    "budget-not-compared": Words("Of one of the two runs it is not known."),
    "budgets-of-no-change": Words("No budget is of what changed: nothing was compared."),
    "budget-rounds-tell-nothing": Words(
        "Runs that were not made in turn tell nothing of the wall clock.",
        "Rounds are made by: scopelight run --against REV SCRIPT.",
        in_editor=template("Rounds are made in a terminal: scopelight run --against REV SCRIPT."),
    ),
    "budget-one-run-each": Words(
        "One run each tells nothing of the wall clock; several in turn do.",
        "Rounds are made by: scopelight run --against REV SCRIPT.",
        in_editor=template("Rounds are made in a terminal: scopelight run --against REV SCRIPT."),
    ),
}
