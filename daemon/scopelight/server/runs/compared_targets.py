"""Predictions side by side, as a document that an editor shows."""

from pathlib import Path

from scopelight.protocol.preflight import ComparedTargets, CompareTargets
from scopelight.report.targets.as_markdown import targets_in_markdown
from scopelight.server.documents.paths import checked_path
from scopelight.server.session import Session
from scopelight.views.targets import compared_targets, named_runs


async def compare_targets(session: Session, params: CompareTargets) -> ComparedTargets:
    """Compare runs; what cannot be compared is said in the text."""
    paths = [checked_path(each) for each in dict.fromkeys(params.paths)]
    roots = session.roots

    def compared() -> ComparedTargets:
        title, named = named_runs(paths)
        record = compared_targets(named, *roots)
        return ComparedTargets(title, targets_in_markdown(title, record, roots[0] if roots else Path.cwd()))

    return await session.work.run("long", compared)
