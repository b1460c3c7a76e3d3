"""Advice as diagnostics: what would make a run faster, on the line that it is about."""

from collections.abc import Iterator

from lsprotocol import types

from scopelight.analysis.advice.records import Advice
from scopelight.report.findings.savings import saving_text
from scopelight.report.findings.worded import worded
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.lines.text_ranges import line_range
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift

SOURCE = "Scopelight"
PADDING = "padding"
"""Said on every line that has it, by sizes."""


def advised_lines(session: Session, run: LoadedRun, drift: DocumentDrift) -> Iterator[tuple[int, Advice]]:
    """The advice on a run whose line is in a document as it was measured, with its 1-based present line."""
    record = session.advice.of(run) if session.settings.advice else None
    for advice in record.findings if record is not None else ():
        if advice.code == PADDING or advice.file is None or advice.line is None:
            continue
        place = drift.locate(advice.file, advice.line)
        if place is not None and place.state == "current":
            yield place.line, advice


def advice_diagnostic(line: int, advice: Advice, document: Document, documents: Documents) -> types.Diagnostic:
    """The advice as the protocol has it: a warning where it is known what it saves, else information."""
    said = worded(advice, "editor")
    is_proven = advice.confidence != "low" and (
        advice.saving_per_step_ps is not None or advice.saving_bytes is not None
    )
    return types.Diagnostic(
        range=line_range(document, documents, line),
        message=" ".join(filter(None, (said.text, saving_text(advice), said.remedy))),
        severity=types.DiagnosticSeverity.Warning if is_proven else types.DiagnosticSeverity.Information,
        code=advice.code,
        source=SOURCE,
    )
