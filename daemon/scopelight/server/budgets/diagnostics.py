"""Budgets among the problems: broken ones on the line of the function as it is now, others in the file of budgets."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from scopelight.analysis.budgets.records import BudgetRow, BudgetsRecord
from scopelight.report.budgets.sentences import sentence
from scopelight.report.findings.worded import sentences
from scopelight.server.budgets.shown_budgets import ShownBudgets
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.lines.advised_lines import SOURCE
from scopelight.server.lines.text_ranges import line_range
from scopelight.server.session import Session
from scopelight.source.definitions import Definitions
from scopelight.source.reading import read_lines

BROKEN = "budget-broken"
UNTOLD = {"not-measured": "budget-not-measured", "cannot-tell": "budget-cannot-tell"}
"""The codes of what is neither broken nor held."""


def budget_diagnostics(
    document: Document, documents: Documents, record: BudgetsRecord | None
) -> Iterator[types.Diagnostic]:
    """Those of the functions in a document, and of the file itself."""
    broken = [row for row in record.of("broken") if _is_of(row, document)] if record is not None else []
    if not broken:
        return
    known = Definitions.of(document.lines)
    for row in broken:
        line = row.line if row.function is None else known.line(row.function)
        # One that is gone was renamed: the file of budgets says so next.
        if line is not None and line <= len(document.lines):
            yield _broken(row, line, document, documents)


class ConfigDiagnostics:
    """What is said in the file of budgets, open or not: broken ones of the whole run, those of which nothing can be
    told, and those that mean nothing."""

    def __init__(self, server: LanguageServer, session: Session, budgets: ShownBudgets) -> None:
        self._server = server
        self._session = session
        self._budgets = budgets
        self._told: str | None = None
        """The URI that carries something."""
        budgets.known.subscribe(self._update)
        session.shown_changed.subscribe(self._update)
        session.settings_changed.subscribe(self._update)

    def _update(self) -> None:
        record = self._budgets.present()
        config = record.config if record is not None else None
        diagnostics: Sequence[types.Diagnostic] = ()
        uri = None
        if record is not None and config is not None and (record.problems or any(map(_is_said, record.rows))):
            document = self._document(config)
            uri = document.uri
            diagnostics = list(self._of(record, document))
        if self._told is not None and self._told != uri:
            self._publish(self._told, ())
        if uri is not None and (diagnostics or self._told == uri):
            self._publish(uri, diagnostics)
        self._told = uri if diagnostics else None

    def _of(self, record: BudgetsRecord, document: Document) -> Iterator[types.Diagnostic]:
        last = len(document.lines)
        documents = self._session.documents
        for row in record.of("broken"):
            if row.place is None and row.config_line <= last:
                yield _broken(row, row.config_line, document, documents)
        for row in record.rows:
            if row.verdict in UNTOLD:
                yield _untold(row, min(row.config_line, last), document, documents)
        for problem in record.problems:
            yield types.Diagnostic(
                range=line_range(document, documents, min(problem.line, last)),
                message=sentences(problem.finding, "editor"),
                severity=types.DiagnosticSeverity.Warning,
                code=problem.finding.code,
                source=SOURCE,
            )

    def _document(self, config: str) -> Document:
        """The file of budgets as it is open, else as it is on the disk."""
        opened = next((each for each in self._session.documents if each.path == config), None)
        if opened is not None:
            return opened
        return Document(from_fs_path(config) or "", config, 0, read_lines(Path(config)) or [""])

    def _publish(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))


def _broken(row: BudgetRow, line: int, document: Document, documents: Documents) -> types.Diagnostic:
    return types.Diagnostic(
        range=line_range(document, documents, line),
        message=sentence(row, "editor"),
        severity=types.DiagnosticSeverity.Error,
        code=BROKEN,
        source=SOURCE,
    )


def _untold(row: BudgetRow, line: int, document: Document, documents: Documents) -> types.Diagnostic:
    return types.Diagnostic(
        range=line_range(document, documents, line),
        message=sentence(row, "editor"),
        severity=types.DiagnosticSeverity.Information,
        code=UNTOLD[row.verdict],
        source=SOURCE,
    )


def _is_said(row: BudgetRow) -> bool:
    """Whether silence would say that it is held."""
    return row.verdict != "held"


def _is_of(row: BudgetRow, document: Document) -> bool:
    if row.place is None or row.file is None or document.path is None:
        return False
    return row.file == document.path or os.path.realpath(row.file) == os.path.realpath(document.path)
