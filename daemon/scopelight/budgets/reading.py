"""Reading ``[tool.scopelight.budgets]``: budgets, and what is wrong with others, each with its line."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

import attrs

from scopelight.analysis.budgets.kinds import KINDS, BudgetKind, Place
from scopelight.analysis.budgets.records import Budget, BudgetProblem
from scopelight.budgets.toml_entries import toml_entries
from scopelight.budgets.values import limit_of
from scopelight.findings import Finding, warning

TABLE: Final = ("tool", "scopelight", "budgets")
_PLACE: Final = re.compile(r"(?P<file>[^:\n]+\.py)(?::(?P<function>[^:\n]+))?")
_OF_LINE: Final = re.compile(r"(?P<file>.+):(?P<line>[0-9]+)(?::[0-9]+)?")
_ERROR_LINE: Final = re.compile(r"\(at line ([0-9]+), column [0-9]+\)")
_FUNCTION: Final = re.compile(r"[^\W\d]\w*(?:\.(?:<locals>\.)?(?:[^\W\d]\w*|<lambda>))*|<lambda>")


@attrs.frozen
class ReadBudgets:
    """``budgets`` in their order, and ``problems`` with the lines where they stand.

    ``has_table``: there is a table for them.
    """

    budgets: tuple[Budget, ...] = ()
    problems: tuple[BudgetProblem, ...] = ()
    has_table: bool = False


def read_budgets(text: str) -> ReadBudgets:
    """The budgets of the text of a ``pyproject.toml``."""
    try:
        document: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return ReadBudgets(problems=(_unreadable(text, error),), has_table="scopelight" in text)
    for name in TABLE:
        document = document.get(name) if isinstance(document, dict) else None
    if document is None:
        return ReadBudgets()
    lines = _lines(text)
    if not isinstance(document, dict):
        return ReadBudgets(problems=(BudgetProblem(lines.get(TABLE, 1), warning("budgets-no-table")),), has_table=True)
    found = list(_of_table(document, lines))
    return ReadBudgets(
        tuple(sorted((each for each in found if isinstance(each, Budget)), key=lambda each: each.line)),
        tuple(sorted((each for each in found if isinstance(each, BudgetProblem)), key=lambda each: each.line)),
        has_table=True,
    )


def _lines(text: str) -> Mapping[tuple[str, ...], int]:
    """By path of an entry its 1-based line; of what stands in several places, as tables do, the first."""
    found: dict[tuple[str, ...], int] = {}
    line, counted = 1, 0
    for entry in sorted(toml_entries(text), key=lambda each: each.key):
        line += text.count("\n", counted, entry.key)
        counted = entry.key
        for depth in range(1, len(entry.path) + 1):
            found.setdefault(entry.path[:depth], line)
    return found


def _of_table(table: Mapping[str, Any], lines: Mapping[tuple[str, ...], int]) -> Iterator[Budget | BudgetProblem]:
    for key, value in table.items():
        line = lines.get((*TABLE, key), 1)
        if not isinstance(value, dict):
            yield _budget(key, value, line, None)
            continue
        place = _place(key, value)
        if isinstance(place, Finding):
            yield BudgetProblem(line, place)
            continue
        for name, limit in value.items():
            yield _budget(name, limit, lines.get((*TABLE, key, name), line), (key, *place))


def _budget(name: str, value: object, line: int, place: tuple[str, str, str | None] | None) -> Budget | BudgetProblem:
    kind = KINDS.get(name)
    if kind is None:
        return BudgetProblem(line, _unknown(name, place is not None))
    whole, file, function = place or (None, None, None)
    of: Place = "function" if function is not None else "file" if file is not None else "run"
    if of not in kind.places:
        return BudgetProblem(line, warning("budget-not-of-place", name=name, place=of, places=kind.places))
    limit = limit_of(kind, value)
    if limit is None:
        return BudgetProblem(line, _bad_value(kind, value))
    return Budget(name, limit, line, whole, file, function)


def _place(key: str, value: Mapping[str, Any]) -> tuple[str, str | None] | Finding:
    """The file and the function that a key names; else what is wrong with it."""
    of_line = _OF_LINE.fullmatch(key)
    if of_line is not None:
        return warning("budget-of-line", place=key, file=of_line.group("file"))
    unquoted = _unquoted(key, value)
    if unquoted is not None:
        return warning("budget-place-unquoted", place=unquoted)
    place = _PLACE.fullmatch(key)
    function = place.group("function") if place is not None else None
    if place is None or (function is not None and _FUNCTION.fullmatch(function) is None):
        return warning("budget-place-unclear", place=key)
    return place.group("file"), function


def _unquoted(key: str, value: Mapping[str, Any]) -> str | None:
    """What was meant by ``train.py.step_ms``, in which TOML sees tables in each other."""
    parts, inside = [key], value
    while len(inside) == 1 and isinstance(next(iter(inside.values())), dict):
        name, inside = next(iter(inside.items()))
        parts.append(name)
    return ".".join(parts) if len(parts) > 1 else None


def _unknown(name: str, has_place: bool) -> Finding:
    known = [each.name for each in KINDS.values() if any((place != "run") == has_place for place in each.places)]
    nearest = next(iter(get_close_matches(name, KINDS, 1, 0.5)), None)
    return warning("budget-unknown", name=name, nearest=nearest, known=tuple(known))


def _bad_value(kind: BudgetKind, value: object) -> Finding:
    said = value if isinstance(value, (str, int, float, bool)) else type(value).__name__
    return warning("budget-value-wrong", name=kind.name, value=str(said)[:80], unit=kind.unit, compares=kind.compares)


def _unreadable(text: str, error: Exception) -> BudgetProblem:
    at = _ERROR_LINE.search(str(error))
    line = (
        int(at.group(1)) if at is not None else max(1, text.count("\n") + 1) if "end of document" in str(error) else 1
    )
    return BudgetProblem(line, warning("budgets-unreadable", error=str(error)[:200]))
