"""The code action on the line of a function's definition that sets budgets for it from the run that is shown."""

from collections.abc import Sequence
from typing import Final

from lsprotocol import types

from scopelight.report.language import text
from scopelight.server.documents.documents import Document
from scopelight.server.runs.loading import LoadedRun
from scopelight.server.session import Session
from scopelight.source.definitions import Definitions
from scopelight.source.drift.document import DocumentDrift

COMMAND: Final = "scopelight.setBudget"
"""Of the extension; other clients have none."""


async def budget_actions(
    session: Session, document: Document, run: LoadedRun, drift: DocumentDrift, first: int, last: int
) -> Sequence[types.CodeAction]:
    """One where a function that the run has lines of is defined on one of some 1-based lines."""
    path = document.path
    if not session.options.command_links or path is None or run.record.predicted_for is not None or first != last:
        return ()
    known = await session.work.quick(lambda: Definitions.of(document.lines))
    name = next((each for each in known.extents if known.lines[each] == first), None)
    if name is None:
        return ()
    begins, ends = known.extents[name]
    if not any(begins <= each.place.line <= ends for each in drift.rows if each.place.state != "gone"):
        return ()
    title = text("Set a budget for {function} from this run…", function=name.rpartition(".")[2])
    command = types.Command(title, COMMAND, arguments=[{"file": path, "line": first}])
    return (types.CodeAction(title=title, kind=types.CodeActionKind.Refactor, command=command),)
