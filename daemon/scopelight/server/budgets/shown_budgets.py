"""The budgets of the shown run's project, held against it: again when their file changes, or a function is renamed."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from scopelight.analysis.budgets.records import BudgetsRecord
from scopelight.server.budgets.open_texts import OpenTexts
from scopelight.server.documents.documents import Document
from scopelight.server.events import Event
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun

if TYPE_CHECKING:
    from scopelight.analysis.compare.records import ComparisonRecord
    from scopelight.analysis.subject import Subject
    from scopelight.model.run.information import RunInformation
    from scopelight.server.session import Session

AFTER_SECONDS = 0.3
"""After the run is shown, for what is seen first comes first; after the last of the edits that follow on each other."""
CONFIG = "pyproject.toml"


class ShownBudgets(OfShownRun[BudgetsRecord]):
    """Which budgets the run that is shown breaks, and what is wrong with others."""

    def __init__(self, session: Session) -> None:
        self.known: Event[[]] = Event()
        """They became known, or others."""
        super().__init__(session, self.known)
        self._edits = 0
        for event in (session.document_opened, session.document_changed, session.document_closed):
            event.subscribe(self._document)
        session.comparisons.changed.subscribe(self.update)

    def present(self) -> BudgetsRecord | None:
        """Those of the run that is shown; None where they are not known, or not wanted."""
        run = self.session.shown
        return self.of(run) if run is not None and self.session.settings.budgets else None

    def update(self) -> None:
        """Find them where problems say them."""
        settings = self.session.settings
        if settings.budgets:
            self.start(self.session.shown, settings.target, self.session.comparisons.shown, self._edits)

    async def find(self, run: LoadedRun) -> BudgetsRecord:
        """Hold them against the run, as their file and the functions are in the editor."""
        await asyncio.sleep(AFTER_SECONDS)
        session = self.session
        subject = await session.records.subject(run)
        texts = OpenTexts.of(session.documents)
        config = await session.work.quick(functools.partial(_config, run.capture, session.roots, texts))
        if config is None:
            return BudgetsRecord(run=str(run.path))
        sides = session.comparisons.shown
        # A comparison reads another run, which is worth it where a budget is of what has changed.
        is_compared = sides is not None and "_change" in config.text
        comparison = await session.comparisons.of(sides, "line") if sides is not None and is_compared else None
        return await session.work.run("long", functools.partial(_check, subject, config, texts, comparison))

    def _document(self, document: Document) -> None:
        if document.path is None:
            return
        record = self.of(self.session.shown) if self.session.shown is not None else None
        if Path(document.path).name == CONFIG or _names(record, document.path):
            self._edits += 1
            self.update()


def _names(record: BudgetsRecord | None, path: str) -> bool:
    """Whether a budget is of a place in a file, or may be of one, as nothing is at the place that it names."""
    if record is None:
        return False
    is_lost = any(each.finding.code.endswith("-unknown") for each in record.problems)
    return (is_lost and path.endswith(".py")) or any(row.file == path for row in record.rows)


@attrs.frozen
class _Config:
    file: Path
    text: str


def _config(capture: RunInformation | None, roots: Sequence[Path], texts: OpenTexts) -> _Config | None:
    from scopelight.budgets.config import config_of  # noqa: PLC0415 (the server starts without it)

    file = config_of(capture, *roots)
    lines = texts.read(file) if file is not None else None
    return _Config(file, "\n".join(lines)) if file is not None and lines is not None else None


def _check(subject: Subject, config: _Config, texts: OpenTexts, comparison: ComparisonRecord | None) -> BudgetsRecord:
    from scopelight.budgets.changing import Changes  # noqa: PLC0415 (what analyses takes a second to import)
    from scopelight.budgets.checking import check_budgets  # noqa: PLC0415

    changes = Changes(lambda: comparison) if comparison is not None else None
    return check_budgets([subject], config.file, config.text, read=texts.read, changes=changes)
