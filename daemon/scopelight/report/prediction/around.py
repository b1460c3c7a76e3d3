"""A view of a predicted run in the terminal: for what it is predicted stands first, what is not known of it last."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

import attrs
from rich.console import Console

from scopelight.findings import Finding
from scopelight.report.findings.prediction.predicted import predicted_briefly
from scopelight.report.findings.worded import closing, sentences
from scopelight.report.prediction.marks import predicted_times
from scopelight.report.tables.text_table import say

_HEAD: Final = "predicted-for"
_WITHOUT_ESTIMATE: Final = "prediction-without-estimate"
_CODES: Final = "prediction-"
"""How the codes begin of what is to be known of a prediction."""
FIRST: Final = ("prediction-cancelled", "prediction-refused-ops", "prediction-without-programs")
"""Codes of what a prediction does not tell, or a TPU does not compute: said before all figures."""
_said_before: ContextVar[set[str] | None] = ContextVar("said_before", default=None)


@contextmanager
def said_once() -> Iterator[None]:
    """Of views that are printed one after the other meanwhile, what one has said of its prediction no other repeats."""
    before = _said_before.set(set())
    try:
        yield
    finally:
        _said_before.reset(before)


@contextmanager
def rendering(record: Any, console: Console, *, at_length: bool = False) -> Iterator[Any]:  # noqa: ANN401 (any view's)
    """Print around a view what is to be known of its prediction; gives the record that is left to be printed.

    With ``at_length`` it is said in full how far the prediction is to be believed, else in a short line. Times are
    marked meanwhile. Nothing is printed around the view of a run that was measured.
    """
    if getattr(record, "predicted_for", None) is None:
        yield record
        return
    # A list of advice has its notes beside it.
    field = "notes" if hasattr(record, "notes") else "findings"
    said: tuple[Finding, ...] = getattr(record, field)
    head = [each for code in FIRST for each in said if each.code == code]
    foot = [each for each in said if each.code.startswith(_CODES) and each not in head]
    with predicted_times(True):
        if at_length:
            say(console, _unsaid(closing([each for each in said if each.code == _HEAD])))
        else:
            say(console, _brief_head(said))
        say(console, _unsaid(line for each in head for line in closing([each])))
        around = [*head, *foot]
        left = tuple(each for each in said if each.code != _HEAD and each not in around)
        yield attrs.evolve(record, **{field: left})
        say(console, _unsaid(closing(foot)))


def say_first(findings: Iterable[Finding], console: Console) -> None:
    """Print findings before any view, which does not repeat them."""
    say(console, _unsaid(closing(findings)))


def _brief_head(said: Iterable[Finding]) -> Iterator[str]:
    before, by_code = _said_before.get(), {each.code: each.values for each in said}
    # Views differ in whether they have times that lack an estimate.
    if _HEAD in by_code and (before is None or _HEAD not in before):
        yield predicted_briefly(by_code[_HEAD], by_code.get(_WITHOUT_ESTIMATE))
    if before is not None:
        before.add(_HEAD)


def _unsaid(said: Iterable[str]) -> Iterator[str]:
    before = _said_before.get()
    for each in said:
        if before is None or each not in before:
            yield each
        if before is not None:
            before.add(each)


def sentences_of_prediction(findings: Iterable[Finding]) -> tuple[str, ...]:
    """How far a prediction is to be believed, and of what there is no estimate; nothing of what was measured."""
    return tuple(sentences(each, "editor") for each in findings if each.code == _HEAD or each.code.startswith(_CODES))


def without_prediction(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Those of ``findings`` that `sentences_of_prediction` does not say."""
    return tuple(each for each in findings if each.code != _HEAD and not each.code.startswith(_CODES))
