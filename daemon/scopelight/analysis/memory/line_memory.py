"""The memory of the lines of a run: what annotations and cards look up."""

from scopelight.analysis.memory.plan.records import MemoryLine, MemoryLinesRecord
from scopelight.analysis.records import LineRecord


class LineMemory:
    """Finds what a line has in memory at the peak of the program with the largest one. Reads are cheap."""

    def __init__(self, record: MemoryLinesRecord) -> None:
        self.record = record
        self._lines = {_key(line): line for line in record.lines}

    @property
    def peak_bytes(self) -> int:
        """The most that the program has in memory at once; 0 where nothing is known."""
        return self.record.peak_bytes or 0

    def of(self, line: LineRecord) -> MemoryLine | None:
        """What a line has in memory; None where that is nothing, or unknown."""
        return self._lines.get(_key(line))


def _key(line: LineRecord | MemoryLine) -> tuple[str | None, int]:
    return (line.file or line.path, line.line)
