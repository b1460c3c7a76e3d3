"""The search of arguments: lane by lane and part by part, each distinct value once, for as long as one waits."""

import time
from typing import Final

import numpy as np

from scopelight.analysis.timeline.events.arguments import argument_text
from scopelight.analysis.timeline.search.patterns import Pattern, Texts
from scopelight.formats.columns import Bool, Int32, Int64, distinct_values
from scopelight.formats.xspace.events import EventMetadata, Events
from scopelight.formats.xspace.stats import StatTable, StatValue
from scopelight.formats.xspace.stats_kernels import BYTES, DOUBLE, REFERENCE_VALUE, SIGNED, UNSIGNED
from scopelight.model.slices import Lane

_EVENTS_AT_ONCE: Final = 16_384
_METADATA_AT_ONCE: Final = 256
_OF_NUMBERS: Final = frozenset("0123456789-+.einfa")
"""The characters that numbers are written with."""


class ArgumentPattern:
    """A pattern for the names and values of arguments, and what it is known to match of each plane."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern
        self._stat_names: dict[tuple[str, ...], Bool] = {}
        self._metadata: dict[int, tuple[EventMetadata, Bool, Bool]] = {}
        """By identity: the plane's metadata, which rows are known, and which of them match."""

    def any_matches(self, stats: dict[str, StatValue]) -> bool:
        """Whether one of the arguments matches, by its name or value."""
        texts = [*stats, *(argument_text(value) for value in stats.values() if not isinstance(value, bytes))]
        return bool(self._pattern.matching(Texts(texts)).any())

    def known(self, metadata: EventMetadata) -> tuple[Bool, Bool]:
        """Which rows of a plane's event metadata were looked at, and which of those match; to be filled in."""
        if id(metadata) not in self._metadata:
            nothing = np.zeros((2, len(metadata)), np.bool_)
            self._metadata[id(metadata)] = (metadata, nothing[0], nothing[1])
        _, known, matches = self._metadata[id(metadata)]
        return known, matches

    def matching(self, table: StatTable) -> Bool:
        """Which stats of a table match."""
        names = tuple(table.names)
        if names not in self._stat_names:
            self._stat_names[names] = self._pattern.matching(Texts(names))
        of_names = self._stat_names[names]
        found: Bool = of_names[table.name] & (table.kind != 0)
        for kind in distinct_values(table.kind).tolist():
            rows = np.flatnonzero((table.kind == kind) & ~found)
            if kind == REFERENCE_VALUE:
                found[rows] = of_names[table.value[rows]]
            elif kind in (SIGNED, UNSIGNED, DOUBLE):
                if self._may_match_numbers():
                    _, firsts, places = np.unique(table.value[rows], return_index=True, return_inverse=True)
                    found[rows] = self._of_values(table, rows[firsts])[places]
            elif kind not in (0, BYTES):
                found[rows] = self._of_values(table, rows)
        return found

    def _of_values(self, table: StatTable, rows: Int64) -> Bool:
        texts = [argument_text(value) for value in table.values(rows)]
        distinct = {text: place for place, text in enumerate(dict.fromkeys(texts))}
        matches = self._pattern.matching(Texts(tuple(distinct)))
        return matches[[distinct[text] for text in texts]] if texts else np.zeros(0, np.bool_)

    def _may_match_numbers(self) -> bool:
        return self._pattern.is_regex or _OF_NUMBERS.issuperset(self._pattern.text.lower())


class LaneArguments:
    """The search of one lane's arguments, begun and not necessarily done."""

    def __init__(self, lane: Lane, pattern: ArgumentPattern) -> None:
        self._lane = lane
        self._pattern = pattern
        self._events: Events | None = lane.events_as_recorded()
        self._rows = distinct_values(self._events.metadata)
        self._next_metadata = self._next_event = 0
        self._matches: Bool = np.zeros(len(self._events), np.bool_)
        self.searched_ratio = 0.0

    def advance(self, until: float) -> bool:
        """Search a part, and on until a time of `time.monotonic`: whether all was searched. Raises `PatternError`."""
        while self._events is not None:
            if self._next_metadata < len(self._rows):
                self._search_metadata(self._events)
            elif self._next_event < len(self._events):
                self._search_events(self._events)
            else:
                _, of_metadata = self._pattern.known(self._events.events_metadata)
                self._matches |= of_metadata[self._events.metadata]
                # What was found is kept, what it was found in is not.
                self._events = None
            if time.monotonic() > until:
                break
        return self._events is None

    def numbers(self) -> Int32:
        """The numbers of the lane's slices that were found so far."""
        matches: Bool = self._matches[self._lane.slices().event]
        return np.flatnonzero(matches).astype(np.int32)

    def _search_metadata(self, events: Events) -> None:
        known, matches = self._pattern.known(events.events_metadata)
        rows = self._rows[self._next_metadata : self._next_metadata + _METADATA_AT_ONCE]
        for row in rows[~known[rows]].tolist():
            matches[row] = self._pattern.any_matches(events.events_metadata.stats(row))
            known[row] = True
        self._next_metadata += len(rows)

    def _search_events(self, events: Events) -> None:
        first, beyond = self._next_event, min(self._next_event + _EVENTS_AT_ONCE, len(events))
        table = events.stat_table(np.arange(first, beyond, dtype=np.int64))
        before: Int64 = np.zeros(len(table.name) + 1, np.int64)
        np.cumsum(self._pattern.matching(table), out=before[1:])
        self._matches[first:beyond] = before[table.offsets[1:]] > before[table.offsets[:-1]]
        self._next_event = beyond
        self.searched_ratio = beyond / len(events)
