"""Code lenses above functions and named scopes: what ran inside of them."""

import functools

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.analysis.lines.costs import LineCosts
from scopelight.report.annotations import lens_title
from scopelight.report.language import template
from scopelight.server.documents.documents import Document
from scopelight.server.lines.blocks import Block, find_blocks
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.server.wire.faults import guarded
from scopelight.source.drift.document import DocumentDrift


def register(server: LanguageServer, session: Session) -> None:
    """Answer with lenses, and ask the client to fetch them again when they change."""
    parsed: dict[str, tuple[Block, ...]] = {}
    """The last good structure of each document: in the middle of typing it has none."""

    async def code_lens(params: types.CodeLensParams) -> list[types.CodeLens]:
        placed = await session.placed(params.text_document.uri) if session.settings.code_lenses else None
        if placed is None:
            return []
        document, run, drift = placed
        blocks = await session.work.quick(functools.partial(find_blocks, document.lines))
        if blocks is not None:
            parsed[document.uri] = blocks
        costs = session.costs.of(run)
        return [
            types.CodeLens(_line_range(block.line), _command(session, run, title, rows))
            for block in parsed.get(document.uri, ())
            if (rows := _rows(block, drift)) and (title := block_title(run, block.name, rows, costs)) is not None
        ]

    def closed(document: Document) -> None:
        parsed.pop(document.uri, None)

    def refresh() -> None:
        workspace = session.client.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            server.workspace_code_lens_refresh(None)

    server.feature(types.TEXT_DOCUMENT_CODE_LENS)(guarded(code_lens, template("The code lenses")))
    session.document_closed.subscribe(closed)
    session.shown_changed.subscribe(refresh)
    session.settings_changed.subscribe(refresh)
    session.costs_changed.subscribe(refresh)


def block_title(run: LoadedRun, name: str, rows: frozenset[int], costs: LineCosts | None) -> str | None:
    """Share, time and rate of the ops whose stack passes through any of ``rows``; None where there are none."""
    stacks = [stack for stack in run.record.stacks if not rows.isdisjoint(stack.lines)]
    wall_ps = sum(stack.wall_ps + stack.waiting_ps for stack in stacks)
    if not wall_ps:
        return None
    cost = costs.inside(rows) if costs is not None else None
    return lens_title(name, wall_ps, run.record, cost)


def _rows(block: Block, drift: DocumentDrift) -> frozenset[int]:
    return frozenset(
        each.row for each in drift.rows if each.place.state != "gone" and block.first <= each.place.line <= block.last
    )


def _command(session: Session, run: LoadedRun, title: str, rows: frozenset[int]) -> types.Command:
    """What a lens says and does: it shows the hottest line of its block in the panel Hot Lines, or nothing."""
    if not session.options.command_links:
        return types.Command(title, "")
    line = run.record.lines[min(rows)]
    return types.Command(title, "scopelight.openHotLines", arguments=[{"file": line.file, "line": line.line}])


def _line_range(line: int) -> types.Range:
    return types.Range(types.Position(line - 1, 0), types.Position(line - 1, 0))
