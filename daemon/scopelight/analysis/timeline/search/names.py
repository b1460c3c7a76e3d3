"""The names of a timeline's slices, each distinct text once, to be matched and grouped by."""

import threading
from collections.abc import Sequence

import numpy as np

from scopelight.analysis.timeline.search.patterns import Pattern, Texts
from scopelight.formats.columns import Bool, Int32
from scopelight.model.slices import SliceNames


class NameIndex:
    """Distinct texts of names and of what they are shown as. Of the names that there are when it is made."""

    def __init__(self, names: SliceNames) -> None:
        rows: dict[str, int] = {}
        every = list(names.every())
        full = [rows.setdefault(name, len(rows)) for name, _ in every]
        whole = len(rows)
        shown = [rows.setdefault(shown_name, len(rows)) for _, shown_name in every]
        texts = tuple(rows)
        self.texts: Sequence[str] = texts
        self.full: Int32 = np.array(full, np.int32)
        """By id of a name the row of its text."""
        self.shown: Int32 = np.array(shown, np.int32)
        """By id of a name the row of what it is shown as."""
        self._names = Texts(texts[:whole])
        self._only_shown = Texts(texts[whole:])
        """What names are shown as and none is called."""

    def __len__(self) -> int:
        return len(self.full)

    def matching(self, pattern: Pattern) -> Bool:
        """By id, whether a name or what it is shown as matches. Raises as `Pattern.matching` does."""
        found: Bool = np.zeros(len(self.texts), np.bool_)
        whole = len(self._names)
        found[:whole] = pattern.matching(self._names)
        matches: Bool = found[self.full] | found[self.shown]
        if not matches.all():
            found[whole:] = pattern.matching(self._only_shown)
            matches |= found[self.shown]
        return matches


class NameIndices:
    """The present index of a timeline's names. Safe to use from several threads."""

    def __init__(self, names: SliceNames) -> None:
        self._names = names
        self._index: NameIndex | None = None
        self._lock = threading.Lock()

    def present(self) -> NameIndex:
        """An index of all names there are now."""
        with self._lock:
            if self._index is None or len(self._index) < len(self._names):
                self._index = NameIndex(self._names)
            return self._index
