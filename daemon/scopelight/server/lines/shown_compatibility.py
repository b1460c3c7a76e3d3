"""What a TPU would do with each op of the shown run: looked up where the run was predicted for one."""

from typing import TYPE_CHECKING

from scopelight.analysis.compatibility.records import CompatibilityRecord
from scopelight.analysis.options import NoOptions
from scopelight.server.events import Event
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun
from scopelight.views.table import VIEWS

if TYPE_CHECKING:
    from scopelight.server.session import Session


class ShownCompatibility(OfShownRun[CompatibilityRecord]):
    """What lines say of ops that are not native; ``known`` is emitted when it is known of a run."""

    def __init__(self, session: "Session") -> None:
        self.known: Event[[]] = Event()
        super().__init__(session, self.known)

    def update(self) -> None:
        """Look it up where there is something."""
        run = self.session.shown
        self.start(run if run is not None and "compatibility" in run.has else None)

    async def find(self, run: LoadedRun) -> CompatibilityRecord:
        """Look it up in the view of compatibility."""
        record: CompatibilityRecord = await self.session.records.of(run, VIEWS["compatibility"], NoOptions())
        return record
