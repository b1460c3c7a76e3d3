"""Documents: where the lines of a run are in the present text of a file, saved or not, and as it was recorded."""

import os
import threading
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from scopelight.analysis.records import LineRecord
from scopelight.source.drift.alignment import align, common_head
from scopelight.source.drift.drift import Drift, Place, follow
from scopelight.source.drift.pairs import Pairs
from scopelight.source.functions import Functions
from scopelight.source.recorded import RecordedSources

FEW_LINES = 2
"""So many lines change at once when a person types; a text that changes more may have come from elsewhere."""


class CopiedFile:
    """A file of which the run keeps a copy; ``lines`` are those of the copy."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines

    def follow(self, present: Sequence[str]) -> Drift:
        """Where its recorded lines are in ``present``."""
        return follow(self.lines, present)


class SeenFile:
    """A file of which there is no copy: it is taken to be as it is seen first, as far as its functions agree.

    ``functions`` are recorded lines with the name of the function that ran there. A line that is not in its
    function is never current. Such a file may be another version; when one is seen in which all lines are in their
    functions, this one is followed from then on.
    """

    def __init__(self, functions: Iterable[tuple[int, str]]) -> None:
        self._functions = tuple(functions)
        self._first: Sequence[str] | None = None
        self._last: Sequence[str] = ()
        self._doubted: frozenset[int] | None = None
        """Lines outside of their function; None while no text could be parsed."""
        self._lock = threading.Lock()

    def follow(self, present: Sequence[str]) -> Drift:
        """Where its recorded lines are in ``present``."""
        with self._lock:
            if self._first is None or (self._doubted and self._is_another(present)):
                self._first = present
                self._doubted = self._outside(present, None)
            drift = follow(self._first, present)
            if self._doubted is None:
                self._doubted = self._outside(present, drift)
            self._last = present
            return drift.doubting(self._doubted or ())

    def _is_another(self, present: Sequence[str]) -> bool:
        """Whether the text is another version of the file, in which all lines are in their functions."""
        return _changed_lines(self._last, present) > FEW_LINES and self._outside(present, None) == frozenset()

    def _outside(self, present: Sequence[str], drift: Drift | None) -> frozenset[int] | None:
        """The recorded lines that are not in their function, as they stand or where ``drift`` has them."""
        functions = Functions.of(present)
        if functions is None:
            return None
        places = {line: drift.place(line).line if drift else line for line, _ in self._functions}
        return frozenset(line for line, name in self._functions if not functions.enclose(places[line], name))


def _changed_lines(before: Sequence[str], after: Sequence[str]) -> int:
    """Lines, of the text that has more of them, between the common beginning and the common end of two texts."""
    head = common_head(before, after)
    tail = common_head(before[head:][::-1], after[head:][::-1])
    return max(len(before), len(after)) - head - tail


SAME_RATIO = 0.8
"""Share of the lines that are not blank that a renamed file still has, in order."""


@attrs.frozen(slots=True)
class PlacedRow:
    """A row of `LinesRecord.lines`, and where its line is."""

    row: int
    place: Place


@attrs.frozen(slots=True, eq=False)
class DocumentDrift:
    """Where the lines of a run are in one text: all rows of its file, by row."""

    rows: tuple[PlacedRow, ...]
    files: Mapping[str, Drift] = attrs.field(factory=dict)
    """By recorded file that the text is of, where its lines are."""

    def locate(self, file: str, line: int) -> Place | None:
        """Where the 1-based ``line`` of a recorded file is; None where the text is of another."""
        drift = self.files.get(file)
        return None if drift is None else drift.place(line)

    def at(self, line: int) -> int | None:
        """The row whose line is the 1-based present ``line``, the surest and longest; None where there is none."""
        here = [each for each in self.rows if each.place.line == line and each.place.state != "gone"]
        best = min(here, key=lambda each: (each.place.state != "current", each.row), default=None)
        return best.row if best else None


class RunDrift:
    """Where the lines of one run are, in whatever text their files have.

    ``lines`` are the run's `LinesRecord.lines`; ``also`` are files that something else is said of. A file of which the
    run keeps no copy is followed from the text in which it is seen first; a line of it is stale when it is not in the
    function that it was recorded in. ``cells`` are the files that are cells of notebooks: no other file can have become
    one.

    Methods may be called from several threads.
    """

    def __init__(
        self,
        lines: Sequence[LineRecord],
        sources: RecordedSources,
        cells: Container[str] = frozenset(),
        also: Iterable[str] = (),
    ) -> None:
        self._lines = lines
        self._cells = cells
        rows: dict[str, list[int]] = {}
        for row, line in enumerate(lines):
            if line.file is not None:
                rows.setdefault(line.file, []).append(row)
        for file in also:
            rows.setdefault(file, [])
        self._rows = rows
        self._files: dict[str, CopiedFile | SeenFile] = {}
        for file, each in rows.items():
            copy = sources.lines(file)
            functions = ((lines[row].line, lines[row].function) for row in each)
            self._files[file] = SeenFile(functions) if copy is None else CopiedFile(copy)
        self._by_path: dict[str, dict[str, None]] = {}
        for file in rows:
            for path in _names(file):
                self._by_path.setdefault(path, {})[file] = None
        self._renamed: dict[str, str] = {}
        """Recorded file to the path of the document that it has become."""

    def files_of(self, path: str, present: Sequence[str] | None = None) -> tuple[str, ...]:
        """The recorded files that the file at ``path`` is: more than one where it was recorded under several paths.

        A file that was not recorded and whose text, where ``present`` gives it, is mostly that of a recorded one
        that exists no more, is this one under a new name.
        """
        files: dict[str, None] = {}
        for name in _names(path):
            files.update(self._by_path.get(name, {}))
        if not files and present is not None:
            renamed = self._renamed_from(path, present)
            return (renamed,) if renamed is not None else ()
        return tuple(files)

    def knows(self, file: str) -> bool:
        """Whether the run has lines in a file, as its records name it."""
        return file in self._rows

    def path_of(self, file: str) -> str:
        """Where a recorded file is now: its own path, or that of the document that it was found to have become."""
        renamed = self._renamed.get(file)
        return file if renamed is None or _exists(file) else renamed

    def follow(self, path: str, present: Sequence[str]) -> DocumentDrift | None:
        """The rows of the run whose lines the file at ``path`` holds, placed in its present lines.

        None where the run has no line in it.
        """
        files = self.files_of(path, present)
        if not files:
            return None
        drifts = {file: self._files[file].follow(present) for file in files}
        placed = [
            PlacedRow(row, drift.place(self._lines[row].line))
            for file, drift in drifts.items()
            for row in self._rows[file]
        ]
        return DocumentDrift(tuple(sorted(placed, key=lambda each: each.row)), drifts)

    def locate(self, file: str, line: int, present: Sequence[str]) -> Place:
        """Where the 1-based recorded ``line`` of a recorded file is, whose present lines are given.

        A file that the run does not know is taken to be as it was.
        """
        known = self._files.get(file)
        if known is not None:
            return known.follow(present).place(line)
        return Place(line, "current") if 1 <= line <= len(present) else Place(max(1, len(present)), "gone")

    def _renamed_from(self, path: str, present: Sequence[str]) -> str | None:
        """The recorded file that exists no more and that a text is mostly of."""
        shares = {
            file: same_share(known.lines, present, SAME_RATIO)
            for file, known in self._files.items()
            if isinstance(known, CopiedFile)
            and file not in self._cells
            and not _exists(file)
            and not self._is_elsewhere(file, path)
        }
        best = max(shares, key=shares.__getitem__, default=None)
        if best is None or shares[best] < SAME_RATIO:
            return None
        self._renamed[best] = path
        return best

    def _is_elsewhere(self, file: str, path: str) -> bool:
        """Whether a recorded file was already found to have become another one than that at ``path``."""
        renamed = self._renamed.get(file)
        return renamed is not None and renamed != path and _exists(renamed)


def same_share(recorded: Sequence[str], present: Sequence[str], least_ratio: float) -> float:
    """Share of the lines of the longer text, blank ones left out, that both have in the same order; 0 where it cannot
    be ``least_ratio``."""
    pairs = Pairs(recorded, present)
    longer = max(len(pairs.recorded), len(pairs.present))
    most = (Counter(pairs.recorded) & Counter(pairs.present)).total()
    if not longer or most < least_ratio * longer:
        return 0.0
    return len(align(pairs.recorded, pairs.present).recorded) / longer


def _names(path: str) -> tuple[str, ...]:
    """The path without detours, and the one that its symbolic links lead to."""
    if not Path(path).is_absolute() or "\0" in path:
        return (path,)
    return tuple(dict.fromkeys((os.path.normpath(path), os.path.realpath(path))))


def _exists(file: str) -> bool:
    # A recorded path is any text at all, a null byte included.
    return "\0" not in file and Path(file).is_absolute() and Path(file).exists()
