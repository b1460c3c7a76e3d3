"""Diagnostics: padding that wastes much of an op's work, on the line that the op comes from; what is advised; what a
TPU would not compute as it is; and broken budgets."""

from collections.abc import Iterator, Sequence

import attrs
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.analysis.lines.costs import LineCosts, wasteful
from scopelight.analysis.padding.records import PaddingRow
from scopelight.protocol.settings import Settings
from scopelight.report.padding_sentences import padding_sentence
from scopelight.report.prediction.marks import predicted_times
from scopelight.server.budgets.diagnostics import ConfigDiagnostics, budget_diagnostics
from scopelight.server.budgets.shown_budgets import ShownBudgets
from scopelight.server.documents.document_updates import DocumentUpdates
from scopelight.server.documents.documents import Document, Documents
from scopelight.server.lines.advised_lines import PADDING, SOURCE, advice_diagnostic, advised_lines
from scopelight.server.lines.incompatible_lines import incompatible_diagnostics
from scopelight.server.lines.shown_compatibility import ShownCompatibility
from scopelight.server.lines.text_ranges import line_range
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift


@attrs.frozen(slots=True)
class PaddingFinding:
    """The worst padding of a 1-based present ``line``.

    In ``row``, and in ``others`` that are worth a word there, the dimensions of sizes that were ``edited`` since fit:
    what they are padded to now is not known.
    """

    line: int
    row: PaddingRow
    others: tuple[PaddingRow, ...] = ()
    edited: frozenset[int] = frozenset()


def register(server: LanguageServer, session: Session) -> None:
    """Keep the client's diagnostics as the run, the text and the settings make them."""
    compatibility = ShownCompatibility(session)
    budgets = ShownBudgets(session)

    def make(document: Document, run: LoadedRun, drift: DocumentDrift) -> Sequence[types.Diagnostic]:
        costs = session.costs.of(run)
        edited = session.edited_sizes.of(run)
        padding = () if costs is None else padding_findings(drift, costs, session.settings, edited)
        with predicted_times(run.record.predicted_for is not None):
            return [
                *(diagnostic(each, document, session.documents, costs) for each in padding if costs is not None),
                *(advice_diagnostic(*each, document, session.documents) for each in advised_lines(session, run, drift)),
                *incompatible_diagnostics(document, session.documents, compatibility.of(run), drift),
                *budget_diagnostics(document, session.documents, budgets.present()),
            ]

    def send(document: Document, diagnostics: Sequence[types.Diagnostic]) -> None:
        parameters = types.PublishDiagnosticsParams(document.uri, diagnostics, document.version)
        server.text_document_publish_diagnostics(parameters)

    also = (session.sizes_changed, session.advice_changed, compatibility.known, budgets.known)
    DocumentUpdates(session, make, send, *also)
    ConfigDiagnostics(server, session, budgets)


def padding_findings(
    drift: DocumentDrift, costs: LineCosts, settings: Settings, edited: frozenset[int]
) -> Iterator[PaddingFinding]:
    """Padding above the thresholds of the settings, one for each line that is as it was when it was measured.

    It is that of sizes that were not ``edited`` since.
    """
    for each in drift.rows:
        place = each.place
        padding = costs.padding(each.row) if place.state == "current" else None
        worst = wasteful(padding, settings.padding_waste_ratio, settings.padding_share_ratio, edited)
        if worst and drift.at(place.line) == each.row:
            yield PaddingFinding(place.line, worst[0], worst[1:], edited)


def diagnostic(finding: PaddingFinding, document: Document, documents: Documents, costs: LineCosts) -> types.Diagnostic:
    """The finding as the protocol has it: on the line's text, information where it is predicted, else a warning."""
    return types.Diagnostic(
        range=line_range(document, documents, finding.line),
        message=padding_sentence(finding.row, costs.target, edited=finding.edited, fitting_tile=costs.fitting_tile),
        severity=types.DiagnosticSeverity.Information if finding.row.predicted else types.DiagnosticSeverity.Warning,
        code=PADDING,
        source=SOURCE,
    )
