"""Ops that a TPU would not compute as they are, as diagnostics on their lines: what is refused as a warning."""

from collections.abc import Iterator, Sequence

from lsprotocol import types

from scopelight.analysis.compatibility.findings import reasons
from scopelight.analysis.compatibility.records import CompatibilityOp, CompatibilityRecord
from scopelight.report.compatibility import said
from scopelight.report.findings.worded import sentences
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.lines.advised_lines import SOURCE
from scopelight.server.lines.text_ranges import line_range
from scopelight.source.drift.document import DocumentDrift


def incompatible_diagnostics(
    document: Document, documents: Documents, record: CompatibilityRecord | None, drift: DocumentDrift
) -> Iterator[types.Diagnostic]:
    """One for each reason on each line that is as it was: a warning where it is refused, else information."""
    for line, ops in _lines(record, drift):
        for finding in reasons(ops):
            of_finding = [each for each in ops if each.key in finding.evidence]
            is_refused = any(each.verdict == "refused" for each in of_finding)
            words = sentences(finding, "editor")
            quoted = next((quote for each in of_finding if (quote := said(each)) and quote not in words), "")
            yield types.Diagnostic(
                range=line_range(document, documents, line),
                message=f"{words} ({quoted})" if quoted else words,
                severity=types.DiagnosticSeverity.Warning if is_refused else types.DiagnosticSeverity.Information,
                code=finding.code,
                source=SOURCE,
            )


def _lines(record: CompatibilityRecord | None, drift: DocumentDrift) -> Iterator[tuple[int, Sequence[CompatibilityOp]]]:
    """The ops that are not native by their 1-based present line, without those that were never asked about."""
    by_line: dict[tuple[str, int], list[CompatibilityOp]] = {}
    for each in record.ops if record is not None else ():
        if each.file is not None and each.line is not None and each.cause != "cancelled":
            by_line.setdefault((each.file, each.line), []).append(each)
    for (file, line), ops in by_line.items():
        place = drift.locate(file, line)
        if place is not None and place.state == "current":
            yield place.line, ops
