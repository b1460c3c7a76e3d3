"""The hover card of an annotated line."""

import asyncio
import json
from urllib.parse import quote

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from scopelight.report.card.hover import hover_card
from scopelight.report.language import template, text
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.server.wire.faults import guarded

MOST_WAIT_SECONDS = 0.3
"""Cards that are asked for just after their run was shown wait so long, all together, for its costs and memory."""


def register(server: LanguageServer, session: Session) -> None:
    """Answer with the card of the line under the pointer, if it took any time."""

    async def hover(params: types.HoverParams) -> types.Hover | None:
        placed = await session.placed(params.text_document.uri)
        if placed is None:
            return None
        document, run, drift = placed
        number = params.position.line
        row = drift.at(number + 1)
        if row is None:
            return None
        costs, memory, changes = await asyncio.gather(
            session.costs.soon(run, MOST_WAIT_SECONDS),
            session.memory.soon(run, MOST_WAIT_SECONDS),
            session.comparisons.lines.soon(run, MOST_WAIT_SECONDS),
        )
        is_stale = any(each.row == row and each.place.state == "stale" for each in drift.rows)
        card = hover_card(
            run.record.lines[row],
            run.record,
            stale=is_stale,
            recorded_text=run.recorded_text(row) if is_stale else None,
            links=panel_links(run, row, is_compared=changes is not None) if session.options.command_links else (),
            ops_link=_link("scopelight.openOpProfile", run, row) if session.options.command_links else None,
            costs=costs,
            memory=memory,
            changes=changes,
            row=row,
            least_waste_ratio=session.settings.padding_waste_ratio,
            least_share_ratio=session.settings.padding_share_ratio,
            edited_sizes=session.edited_sizes.of(run),
        )
        end = session.documents.codec.client_num_units(document.lines[number])
        return types.Hover(
            contents=types.MarkupContent(types.MarkupKind.Markdown, card),
            range=types.Range(types.Position(number, 0), types.Position(number, end)),
        )

    server.feature(types.TEXT_DOCUMENT_HOVER)(guarded(hover, template("The hover card")))


def panel_links(run: LoadedRun, row: int, *, is_compared: bool = False) -> tuple[str, ...]:
    """Ways to the panels that have something of the run."""
    line = run.record.lines[row]
    waits = line.waiting_classes.get("input", 0) > 0
    commands = {
        "scopelight.openHotLines": text("Hot Lines"),
        **({"scopelight.openComparison": text("Comparison")} if is_compared else {}),
        **({"scopelight.openTimeline": text("Timeline")} if "traces" in run.has else {}),
        **({"scopelight.openInputPipeline": text("Input Pipeline")} if waits and "waiting" in run.has else {}),
        **({"scopelight.openOpProfile": text("Op Profile")} if line.inclusive_ps else {}),
        **({"scopelight.openMemoryViewer": text("Memory")} if "programs" in run.has else {}),
        "scopelight.copyAsMarkdown": text("Copy"),
    }
    return tuple(f"[{title}]({_link(command, run, row)})" for command, title in commands.items())


def _link(command: str, run: LoadedRun, row: int) -> str:
    """What runs a command with a line of the run."""
    line = run.record.lines[row]
    return f"command:{command}?{quote(json.dumps([{'file': line.file, 'line': line.line}]), safe='')}"
