"""The hover card of an annotated line."""

import json
from urllib.parse import quote

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.report.hover import hover_card
from scopelight.server.faults import guarded
from scopelight.server.loading import LoadedRun
from scopelight.server.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Answer with the card of the line under the pointer, if it took any time."""

    async def hover(params: types.HoverParams) -> types.Hover | None:
        document = session.documents.get(params.text_document.uri)
        run = session.shown
        number = params.position.line
        if document is None or run is None or number >= len(document.lines):
            return None
        drift = await session.placements.placed(run, document)
        row = drift.at(number + 1) if drift is not None else None
        if drift is None or row is None:
            return None
        is_stale = any(each.row == row and each.place.state == "stale" for each in drift.rows)
        card = hover_card(
            run.record.lines[row],
            run.record,
            stale=is_stale,
            recorded_text=run.recorded_text(row) if is_stale else None,
            links=_links(run, row) if session.options.command_links else (),
        )
        end = session.documents.codec.client_num_units(document.lines[number])
        return types.Hover(
            contents=types.MarkupContent(types.MarkupKind.Markdown, card),
            range=types.Range(types.Position(number, 0), types.Position(number, end)),
        )

    server.feature(types.TEXT_DOCUMENT_HOVER)(guarded(hover, "The hover card"))


def _links(run: LoadedRun, row: int) -> tuple[str, ...]:
    line = run.record.lines[row]
    arguments = quote(json.dumps([{"file": line.file, "line": line.line}]), safe="")
    return (
        f"[Hot Lines](command:scopelight.openHotLines?{arguments})",
        f"[Copy](command:scopelight.copyAsMarkdown?{arguments})",
    )
