"""Findings in words, for the terminal and for the editor."""

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from scopelight.findings import Action, Finding, Severity
from scopelight.report.findings import nothing
from scopelight.report.findings.words import Sentence, Words, as_said
from scopelight.report.language import text

WORDS: Mapping[str, Words] = {**nothing.WORDS}
"""What each code says."""
Screen = Literal["terminal", "editor"]
"""Where the words are read: the terminal names command lines, the editor its commands and views."""
_COMMAND_LINES: Mapping[str, str] = {
    "profile-script": "scopelight run SCRIPT",
    "show-view": "scopelight show {view}",
}
"""What to type for an action; those that are left out are done in an editor, or outside of the product."""


@attrs.frozen(slots=True)
class WordedFinding:
    """A finding with its words: ``text`` says what is the matter, ``remedy`` what to do, empty where nothing helps."""

    code: str
    severity: Severity
    values: Mapping[str, Any]
    evidence: tuple[str, ...]
    action: Action | None
    text: str
    remedy: str


def worded(finding: Finding, screen: Screen) -> WordedFinding:
    """``finding`` with its words; in the terminal its remedy ends in the command line of its action."""
    words = WORDS[finding.code]
    said = _said(words.remedy, finding.values)
    command = _command_line(finding.action) if finding.action and screen == "terminal" else None
    if command:
        said = f"{said.removesuffix('.')}: `{command}`."
    first = words.one if words.one and finding.values[words.number] == 1 else words.text
    return WordedFinding(
        finding.code,
        finding.severity,
        finding.values,
        finding.evidence,
        finding.action,
        _said(first, finding.values),
        said,
    )


def sentences(finding: Finding, screen: Screen) -> str:
    """The text and the remedy of ``finding`` in a row."""
    words = worded(finding, screen)
    return f"{words.text} {words.remedy}".rstrip()


def _said(sentence: Sentence, values: Mapping[str, Any]) -> str:
    if not isinstance(sentence, str):
        return sentence(values)
    return text(sentence, **{name: as_said(name, value) for name, value in values.items()})


def _command_line(action: Action) -> str | None:
    """What to type for ``action`` in a terminal; None where there is nothing to type."""
    line = _COMMAND_LINES.get(action.command)
    return None if line is None else line.format_map(action.arguments)
