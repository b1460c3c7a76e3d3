"""Quick fixes of advice: edits that the present text proves to do what is advised."""

from collections.abc import Mapping, Sequence

from lsprotocol import types

from scopelight.analysis.advice.fixes.change import Change, Text
from scopelight.analysis.advice.fixes.fix import Fix
from scopelight.report.findings.fixes import fix_note, fix_title
from scopelight.server.documents.documents import Document
from scopelight.server.lines.advised_lines import advice_diagnostic, advised_lines
from scopelight.server.lines.workspace_edits import workspace_edit
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.drift.document import DocumentDrift


async def advice_actions(
    session: Session, document: Document, run: LoadedRun, drift: DocumentDrift, first: int, last: int
) -> Sequence[types.CodeAction]:
    """The fixes of the advice on some 1-based lines of a document."""
    here = [each for each in advised_lines(session, run, drift) if first <= each[0] <= last]
    if not here or document.path is None:
        return ()
    found = await session.placements.texts(run, run.sources.files)
    lines: dict[str, Sequence[str]] = dict(found.values()) | {document.path: document.lines}
    path = document.path

    def find() -> list[tuple[types.Diagnostic, Fix]]:
        # What analyses takes a second to import.
        from scopelight.analysis.advice.fixes.fixes import Advised, fixes_of  # noqa: PLC0415

        texts = {each: Text(text) for each, text in lines.items()}
        return [
            (advice_diagnostic(line, advice, document, session.documents), fix)
            for line, advice in here
            for fix in fixes_of(Advised(advice, path, line, texts))
        ]

    return [_action(session, diagnostic, fix, lines) for diagnostic, fix in await session.work.quick(find)]


def _action(
    session: Session, diagnostic: types.Diagnostic, fix: Fix, lines: Mapping[str, Sequence[str]]
) -> types.CodeAction:
    title = fix_title(fix)
    edits = [_edit(session, change, lines[fix.path]) for change in fix.changes]
    return types.CodeAction(
        title=title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic],
        edit=workspace_edit(session, fix.path, edits, f"scopelight.{fix.kind}", title, fix_note(fix)),
    )


def _edit(session: Session, change: Change, lines: Sequence[str]) -> types.TextEdit:
    units = session.documents.codec.client_num_units

    def position(line: int, column: int) -> types.Position:
        # Behind the last line there is none.
        text = lines[line] if line < len(lines) else ""
        return types.Position(line, units(text[:column]))

    return types.TextEdit(
        types.Range(position(change.first_line, change.first_column), position(change.last_line, change.last_column)),
        change.new_text,
    )
