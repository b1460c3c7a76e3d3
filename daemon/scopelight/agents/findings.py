"""Findings in answers: the words that a person reads of them, around values that are quoted where they are long."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from scopelight.agents.answer import Section
from scopelight.agents.foreign import guarded
from scopelight.analysis.advice.records import Advice
from scopelight.findings import Finding, Severity
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import of_severity, worded

if TYPE_CHECKING:
    from scopelight.analysis.subject import Subject

_MOST_KEPT: Final = 4
_MARKED: frozenset[Severity] = frozenset(("error", "warning"))


def said(finding: Finding) -> str:
    """What a finding says, and what to do: ``warning: … …``."""
    words = worded(guarded(finding), "editor")
    mark = f"{finding.severity}: " if finding.severity in _MARKED else ""
    return f"{mark}{words.text} {words.remedy}".rstrip()


def all_said(findings: Iterable[Finding], *severities: Severity) -> Iterator[str]:
    """What findings of these severities say, all without any, each once."""
    wanted = of_severity(findings, *severities) if severities else tuple(findings)
    yield from dict.fromkeys(map(said, wanted))


def warned(findings: Iterable[Finding]) -> Section:
    """The warnings among findings: the first ones stay, however much else there is to say."""
    told = list(all_said(findings, "warning"))
    return Section(told[:_MOST_KEPT], told[_MOST_KEPT:], _rest)


def _rest(left: int) -> str:
    return f"{left} more {'warning is' if left == 1 else 'warnings are'} left out."


def profile_warnings(*subjects: "Subject") -> Section:
    """What is wrong with the profiles of runs, such as that one was cut off: figures are to be read with it."""
    return warned(finding for subject in subjects for finding in subject.profile.findings)


def advice_said(advice: Advice) -> str:
    """What is the matter, what it would save, and what to do."""
    words = worded(guarded(advice), "editor")
    return " ".join(filter(None, (words.text, saving_text(advice), words.remedy)))
