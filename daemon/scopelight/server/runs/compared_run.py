"""With what the shown run is compared: set, forgotten, and asked about."""

import functools
from pathlib import Path

from scopelight.analysis.compare.lists.options import ComparedListOptions
from scopelight.analysis.compare.records import ComparisonRecord
from scopelight.analysis.compare.trees.records import ComparedTreeRecord
from scopelight.analysis.flame.options import FlameOptions
from scopelight.analysis.graph.options import GraphOptions
from scopelight.analysis.ops.options import OpProfileOptions
from scopelight.protocol import Nothing
from scopelight.protocol.comparing import ComparedWith, CompareWith, ComparisonOptions
from scopelight.protocol.views import ViewAnswer
from scopelight.report.language import text
from scopelight.server.documents.paths import checked_path
from scopelight.server.runs.compared_sides import compared_with, sides_of
from scopelight.server.runs.shown_run import described, shown_run
from scopelight.server.session import Session
from scopelight.server.wire.faults import RequestFailed
from scopelight.server.wire.progress import progress


async def compare_with(session: Session, params: CompareWith) -> ComparedWith:
    """Compare a run from now on, whenever it is shown. Raises `FormatError` where the sides cannot be found."""
    run = checked_path(params.run)
    before = None if params.before is None else checked_path(params.before)
    found = await session.work.quick(functools.partial(_found, run, before))
    session.comparisons.set(found)
    return found


def _found(run: Path, before: Path | None) -> ComparedWith:
    return compared_with(sides_of(run, before), run, before)


async def stop_comparing(session: Session, params: Nothing) -> Nothing:  # noqa: ARG001 (every request has parameters)
    """Compare with nothing."""
    session.comparisons.set(None)
    return Nothing()


async def comparison(session: Session, params: ComparisonOptions) -> ViewAnswer[ComparisonRecord]:
    """The comparison of the run that is shown."""
    run = shown_run(session)
    record = await compared(session, params)
    return ViewAnswer(await described(session, run), (), (), record)


async def compared(session: Session, params: ComparisonOptions) -> ComparisonRecord:
    """The record of the comparison alone. Raises `RequestFailed` where the shown run is compared with nothing."""
    sides = _shown(session)
    async with progress(session, params.workDoneToken, text("Comparing")) as report:
        return await session.comparisons.of(sides, params.by, report)


async def compared_view(
    session: Session, params: OpProfileOptions | FlameOptions | GraphOptions | ComparedListOptions
) -> ComparedTreeRecord:
    """A view of the shown run beside what it was, node by node, asked for as the view is. Raises as `compared`."""
    return await session.comparisons.of_view(_shown(session), params)


def _shown(session: Session) -> ComparedWith:
    sides = session.comparisons.shown
    if sides is None:
        raise RequestFailed(text("The run that is shown is not compared with another."))
    return sides
