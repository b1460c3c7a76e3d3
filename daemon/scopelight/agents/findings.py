"""Findings in answers: the words that a person reads of them, around values that are quoted where they are long."""

from collections.abc import Iterable, Iterator

from scopelight.agents.foreign import guarded
from scopelight.analysis.advice.records import Advice
from scopelight.findings import Finding, Severity
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import of_severity, worded

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


def advice_said(advice: Advice) -> str:
    """What is the matter, what it would save, and what to do."""
    words = worded(guarded(advice), "editor")
    return " ".join(filter(None, (words.text, saving_text(advice), words.remedy)))
