"""Words: what differs between two revisions of a script beside their code, before rounds of both are made."""

from collections.abc import Callable, Mapping
from typing import Any

from scopelight.report.findings.words import Words, listed
from scopelight.report.foreign_text import printable
from scopelight.report.language import template, text


def _named(what: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda values: text(what, names=listed(values["names"]))


def _ended(values: Mapping[str, Any]) -> str:
    error = printable(str(values["error"]))
    if values["side"] == "before":
        return text(
            "Before, the script ended in an exception ({error}); what was captured until then counts.", error=error
        )
    return text("After, the script ended in an exception ({error}); what was captured until then counts.", error=error)


WORDS = {
    "against-uncommitted": Words(
        _named(template("What is after has changes that are not committed: {names}.")),
    ),
    "against-unlike-dependencies": Words(
        lambda values: text(
            "The two revisions ask for other packages ({files}), and both run with those that are installed now.",
            files=listed(values["files"]),
        )
    ),
    "against-submodules": Words(
        _named(template("Submodules are empty in the earlier revision's folder: {names}.")),
        template("Install what they hold, or give their folders in PYTHONPATH."),
    ),
    "against-editable-install": Words(
        lambda values: text(
            "Packages are installed to be edited in {folders}: the earlier revision's take their place before.",
            folders=listed(values["folders"]),
        )
    ),
    "against-untracked": Words(
        _named(template("The earlier revision's folder lacks what git does not track: {names}.")),
        template("Give such files by absolute paths where the script reads them."),
    ),
    "against-ended-in-exception": Words(_ended),
    "against-edited-meanwhile": Words(
        lambda values: text(
            "Edited while rounds were made: {names}; those before round {round} count, and no further ones are made.",
            names=listed(values["names"]),
            round=values["round"],
        ),
        template("Make rounds of what there is now: leave its files alone until they are made."),
    ),
    "against-edited-beside": Words(
        _named(template("Changed while rounds were made, which did not end them: {names}.")),
        template("Where the script reads them, rounds of one side differ: leave them alone, and make new ones."),
    ),
    "against-imports-of-working-tree": Words(
        _named(template("Both sides ran files of the working tree, the earlier one too: {names}.")),
        template("Import them by the folder that the script starts in, or by PYTHONPATH."),
    ),
}
