"""What a quick fix of an advice is called, and what is to be known before it is made."""

from collections.abc import Mapping
from typing import Final

from scopelight.analysis.advice.fixes.fix import Fix, FixKind
from scopelight.report.language import template, text

_TITLES: Final[Mapping[FixKind, str]] = {
    "donate": template("Donate the arguments of {name} that its calls replace"),
    "read-every-steps": template("Do this every {name} steps"),
    "remove-flag": template("Leave out {name}"),
    "compile-function": template("Compile {name} with jax.jit"),
}
_NOTES: Final[Mapping[FixKind, str]] = {
    "donate": template(
        "What was passed there must not be used after the call: every call in this run's files rebinds it"
    ),
    "read-every-steps": template("The host then waits for the device in one step of {name}"),
    "remove-flag": template("Nothing else in this run's files is changed"),
    "compile-function": template("It only computes: its ops become one program"),
}


def fix_title(fix: Fix) -> str:
    """``Donate the arguments of train_step that its calls replace``."""
    return text(_TITLES[fix.kind], name=fix.name)


def fix_note(fix: Fix) -> str:
    """What a person confirms."""
    return text(_NOTES[fix.kind], name=fix.name)
