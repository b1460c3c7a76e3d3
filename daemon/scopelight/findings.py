"""Findings: what an analysis has to say about a profile, as codes with values. `report/findings` words them."""

from collections.abc import Iterable, Mapping
from typing import Literal

import attrs

from scopelight.legible import Legible

Severity = Literal["empty", "error", "warning", "note", "advice"]
"""Why a view has nothing to show; what failed; what makes numbers doubtful; how to read them; what could be better."""
Plain = str | int | float | bool | None
Value = Plain | tuple[Plain, ...]


@attrs.frozen(slots=True, repr=False)
class Action(Legible):
    """Something that the product can do: ``command`` is a code (``show-view``), not the name of an editor's command."""

    command: str
    arguments: Mapping[str, Value] = attrs.field(factory=dict)


@attrs.frozen(slots=True, repr=False)
class Finding(Legible):
    """One thing found, without words: ``code`` is in kebab-case, ``values`` have their units in their names.

    ``evidence`` are keys of the lines, ops or steps that it rests on; ``action`` is what helps, None where nothing in
    the product does.
    """

    code: str
    severity: Severity
    values: Mapping[str, Value] = attrs.field(factory=dict)
    evidence: tuple[str, ...] = ()
    action: Action | None = None


def empty(code: str, action: Action | None = None, /, **values: Value) -> Finding:
    """Why there is nothing to show."""
    return Finding(code, "empty", values, action=action)


def warning(code: str, action: Action | None = None, /, **values: Value) -> Finding:
    """What makes numbers doubtful."""
    return Finding(code, "warning", values, action=action)


def note(code: str, action: Action | None = None, /, **values: Value) -> Finding:
    """How numbers are to be read."""
    return Finding(code, "note", values, action=action)


def advice(code: str, action: Action | None = None, /, **values: Value) -> Finding:
    """What could be better."""
    return Finding(code, "advice", values, action=action)


def error(code: str, action: Action | None = None, /, **values: Value) -> Finding:
    """What failed."""
    return Finding(code, "error", values, action=action)


def show_view(view: str) -> Action:
    """To show another view."""
    return Action("show-view", {"view": view})


PROFILE_SCRIPT = Action("profile-script")


def each_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """``findings`` in their order, equal ones once: of several programs or hosts many say the same."""
    found: list[Finding] = []
    for each in findings:
        if each not in found:
            found.append(each)
    return tuple(found)
