"""What records find, as tests ask for it: codes, and where words matter the words."""

import json
from pathlib import Path

from scopelight.findings import Finding
from scopelight.report.findings.worded import worded

SAMPLES = json.loads((Path(__file__).parent / "finding_samples.json").read_text(encoding="utf-8"))
"""Each code of a finding with sample values, and what it says of them in the editor: a golden table."""


def codes(record, *severities):
    """The codes of findings, or of a record's, as records or as JSON; all without ``severities``."""
    return [_field(each, "code") for each in _chosen(record, severities)]


def values(record, code):
    """The values of the one finding of a code."""
    (found,) = (each for each in _chosen(record, ()) if _field(each, "code") == code)
    return dict(_field(found, "values"))


def said(record, *severities):
    """What findings say in the terminal, as one text."""
    return " ".join(_said(each) for each in _chosen(record, severities))


def _chosen(record, severities):
    findings = record["findings"] if isinstance(record, dict) else getattr(record, "findings", record)
    return [each for each in findings if not severities or _field(each, "severity") in severities]


def _field(finding, name):
    return finding[name] if isinstance(finding, dict) else getattr(finding, name)


def _said(finding):
    if isinstance(finding, dict) and "text" not in finding:
        # As run.json keeps them: the words are added where they are read.
        finding = Finding(finding["code"], finding["severity"], finding["values"])
    words = finding if isinstance(finding, dict) else worded(finding, "terminal")
    return f"{_field(words, 'text')} {_field(words, 'remedy')}".strip()
