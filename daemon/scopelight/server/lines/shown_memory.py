"""The memory of the shown run's lines: read when something shows it, and not before."""

from scopelight.analysis.memory.line_memory import LineMemory
from scopelight.analysis.memory.options import ProgramMemoryOptions
from scopelight.server.lines.of_shown_run import OfShownRun
from scopelight.server.runs.loading import LoadedRun
from scopelight.views.table import VIEWS


class ShownMemory(OfShownRun[LineMemory]):
    """What the lines of the run that is shown have in memory."""

    def update(self) -> None:
        """Read it where annotations show it."""
        settings = self.session.settings
        if settings.annotations and settings.mode == "memory":
            self.start(self.session.shown)

    async def soon(self, run: LoadedRun, seconds: float) -> LineMemory | None:
        """`of`, after it was asked for and a wait of at most so many ``seconds``."""
        self.start(run)
        return await super().soon(run, seconds)

    async def find(self, run: LoadedRun) -> LineMemory:
        """Look it up in the view of memory by line."""
        return LineMemory(await self.session.records.of(run, VIEWS["memory-lines"], ProgramMemoryOptions()))
