"""Findings in words, for the terminal and for the editor."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Literal, get_args

import attrs

from scopelight.analysis.advice.records import Advice, Confidence, SavingBasis
from scopelight.findings import Action, Finding, Severity
from scopelight.report.findings import (
    advice,
    capture,
    devices,
    events,
    flame,
    graph,
    host,
    hosts,
    memory,
    ops,
    out_of_memory,
    padding,
    resources,
    running,
    servers,
    timeline,
    waiting,
)
from scopelight.report.findings.comparing import against, budgets, compare
from scopelight.report.findings.prediction import compatibility, fit, predicted, targets
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.words import Words

WORDS: Mapping[str, Words] = {
    each: words
    for family in (
        running,
        capture,
        servers,
        devices,
        ops,
        padding,
        compatibility,
        memory,
        out_of_memory,
        predicted,
        fit,
        targets,
        compare,
        against,
        timeline,
        events,
        flame,
        graph,
        resources,
        host,
        hosts,
        waiting,
        advice,
        budgets,
    )
    for each, words in family.WORDS.items()
}
"""What each code says."""
Screen = Literal["terminal", "editor"]
"""Where the words are read: the terminal names command lines, the editor has buttons for what can be done."""
_ORDER: Sequence[Severity] = ("empty", "note", "advice", "error", "warning")
_COMMAND_LINES: Mapping[str, str] = {
    "profile-script": "scopelight run SCRIPT",
    "show-view": "scopelight show {view}",
    "set-target": "--target 'TPU v5e'",
    "set-resources-period": "scopelight run --resources-period 10 SCRIPT",
}
"""What to type for an action; those that are left out are done in an editor, or outside of the product."""
_shown: ContextVar[Path | None] = ContextVar("shown", default=None)


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


@attrs.frozen(slots=True)
class WordedAdvice(WordedFinding):
    """An advice with its words: ``saving`` says what is saved at best, and how that was computed; empty without."""

    path: str | None
    file: str | None
    line: int | None
    key: str | None
    saving_per_step_ps: int | None
    saving_ratio: float | None
    saving_bytes: int | None
    saving_basis: SavingBasis | None
    confidence: Confidence
    shares_cores: bool
    within: str | None
    saving: str


_OF_ADVICE = tuple(each.name for each in attrs.fields(Advice) if each.name not in attrs.fields_dict(Finding))


def worded(finding: Finding, screen: Screen) -> WordedFinding:
    """``finding`` with its words, an advice with those of its saving as well.

    In the terminal its remedy ends in the command line of its action.
    """
    words = WORDS.get(finding.code)
    # A run may have been captured by a newer version, whose codes are not known here.
    said, remedy = (
        (finding.code, "")
        if words is None
        else (words.said(finding.values), words.said_to_do(finding.values, in_editor=screen == "editor"))
    )
    command = _command_line(finding.action) if finding.action and screen == "terminal" else None
    if command and remedy:
        remedy = f"{remedy.removesuffix('.')}: `{command}`."
    of_all = (finding.code, finding.severity, finding.values, finding.evidence, finding.action, said, remedy)
    if isinstance(finding, Advice):
        proof = {name: getattr(finding, name) for name in _OF_ADVICE}
        return WordedAdvice(*of_all, **proof, saving=saving_text(finding))
    return WordedFinding(*of_all)


def sentences(finding: Finding, screen: Screen) -> str:
    """The text and the remedy of ``finding`` in a row."""
    words = worded(finding, screen)
    return f"{words.text} {words.remedy}".rstrip()


def in_terminal(finding: Finding) -> str:
    """The sentences of ``finding`` for the terminal, and for files that are read elsewhere."""
    return sentences(finding, "terminal")


def joined(findings: Iterable[Finding], screen: Screen) -> str:
    """All that ``findings`` say, as one paragraph."""
    return " ".join(sentences(each, screen) for each in findings)


def of_severity(findings: Iterable[Finding], *severities: Severity) -> tuple[Finding, ...]:
    """Those of ``findings`` that are as grave as one of ``severities``."""
    return tuple(each for each in findings if each.severity in severities)


def closing(findings: Iterable[Finding], *severities: Severity) -> Iterator[str]:
    """What the terminal prints below a view: why it is empty, then notes and warnings, a line each.

    ``severities`` are those that are printed, all without any.
    """
    wanted = of_severity(findings, *(severities or get_args(Severity)))
    is_empty = any(each.severity == "empty" for each in wanted)
    for each in sorted(wanted, key=lambda finding: _ORDER.index(finding.severity)):
        words = worded(each, "terminal")
        if each.severity == "empty":
            yield words.text
            if words.remedy:
                yield words.remedy
        # Where nothing ran, no rate is missed.
        elif not (is_empty and each.code == "utilisation-unknown"):
            mark = "" if each.severity in ("note", "advice") else f"{each.severity}: "
            yield f"{mark}{words.text} {words.remedy}".rstrip()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """What is worded for the terminal meanwhile is of ``path``: command lines that show another view of it name it."""
    before = _shown.set(path)
    try:
        yield
    finally:
        _shown.reset(before)


def _command_line(action: Action) -> str | None:
    """What to type for ``action`` in a terminal; None where there is nothing to type."""
    line = _COMMAND_LINES.get(action.command)
    if line is None:
        return None
    said, path = line.format_map(action.arguments), _shown.get()
    return said if path is None or action.command != "show-view" else f"{said} {shlex.quote(str(path))}"
