"""What became of the shown run's lines: compared after it is shown, where it is compared with another."""

from scopelight.analysis.compare.line_changes import LineChanges
from scopelight.formats.errors import FormatError
from scopelight.protocol.comparing import ComparedWith
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun


class ShownChanges(OfShownRun[LineChanges]):
    """What became of the lines of the run that is shown."""

    _sides: ComparedWith | None = None

    def update(self) -> None:
        """Compare anew where something else is compared, and tell where nothing is any more."""
        session = self.session
        sides = session.comparisons.shown
        if sides != self._sides:
            self._sides, self._known = sides, None
            self.changed.emit()
        self.start(session.shown if sides is not None else None, sides, session.records.depends_on)

    async def find(self, run: LoadedRun) -> LineChanges:
        """Compare by line."""
        sides = self._sides
        if sides is None:
            raise FormatError("it is compared with nothing", path=run.path)
        return LineChanges(await self.session.comparisons.of(sides, "line"), sides.since)
