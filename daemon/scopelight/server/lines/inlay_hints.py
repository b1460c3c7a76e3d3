"""Inlay hints: the annotations, for editors that do not show them themselves."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.report.language import template
from scopelight.server.lines.annotations import present_annotations
from scopelight.server.session import Session
from scopelight.server.wire.faults import guarded


def register(server: LanguageServer, session: Session) -> None:
    """Answer with hints, and ask the client to fetch them again when they change."""

    async def inlay_hint(params: types.InlayHintParams) -> list[types.InlayHint]:
        placed = await session.placed(params.text_document.uri) if _wanted(session) else None
        if placed is None:
            return []
        document, run, drift = placed
        annotations = present_annotations(session, run, drift)
        first, last = params.range.start.line, params.range.end.line
        return [
            types.InlayHint(
                position=types.Position(line, session.documents.codec.client_num_units(document.lines[line])),
                label=annotation.text,
                padding_left=True,
            )
            for annotation in annotations
            if first <= (line := annotation.line - 1) <= last and line < len(document.lines)
        ]

    def refresh() -> None:
        workspace = session.client.workspace
        if _wanted(session) and workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            server.workspace_inlay_hint_refresh(None)

    server.feature(types.TEXT_DOCUMENT_INLAY_HINT)(guarded(inlay_hint, template("The inlay hints")))
    session.shown_changed.subscribe(refresh)
    session.settings_changed.subscribe(refresh)
    session.costs_changed.subscribe(refresh)
    session.memory_changed.subscribe(refresh)
    session.comparisons.lines.changed.subscribe(refresh)


def _wanted(session: Session) -> bool:
    return session.settings.inlay_hints and not session.options.annotations
