"""Flows: which events led to which, by the ids that the profiler gave to both.

A host event hands work on by an id of a kind (``_p`` of the kind ``_pt``), and what takes it up has the same (``_c``,
``_ct``). A kernel has the ``correlation_id`` of the host event that launched it. Asynchronous ops of a TPU have a
``flow``: direction, id and category in one number (2, 56 and 6 bits, the lowest first; xplane_schema.h of TSL).
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import attrs
import numpy as np

from scopelight.analysis.timeline.events.kernels import keep_shared
from scopelight.analysis.timeline.timeline import Timeline
from scopelight.analysis.timeline.track import Track
from scopelight.formats.columns import Bool, Int32, Int64, UInt64
from scopelight.formats.errors import FormatError
from scopelight.formats.xspace.stats import StatValue

MOST_FLOWS: Final = 64
"""Of one event in each direction; what hands work to a thousand threads is not read one by one."""

_STATS: Final = ("_p", "_pt", "_c", "_ct", "correlation_id", "flow")
_IDS: Final = frozenset(("_p", "_c", "correlation_id", "flow"))
_CORRELATION: Final = -1
_FIRST_CATEGORY: Final = -100
"""Kinds of ids that are not ``_pt`` and ``_ct``, which are not negative: -1, and -100 less the category."""
_INTO, _OUT_OF = 1, 2
_KINDS: Final = 3
_MULTIPLIERS: Final = (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
"""Of splitmix64."""
_EVENTS_AT_ONCE: Final = 1 << 16
"""Their ids and keys take about a hundred bytes each while they are read, and some milliseconds."""

Columns = Mapping[str, tuple[Int64, Bool]]


@attrs.frozen(eq=False, repr=False)
class _Ends:
    """One end of the flows of a host: keys without their lowest ``bits``, which number the event; sorted."""

    packed: UInt64
    bits: int

    def of(self, key: int) -> Sequence[int]:
        """The numbers of the events of a key, at most `MOST_FLOWS`."""
        least = np.uint64(key >> self.bits << self.bits)
        greatest = least | np.uint64((1 << self.bits) - 1)
        first, beyond = int(np.searchsorted(self.packed, least)), int(np.searchsorted(self.packed, greatest, "right"))
        chosen: list[int] = (self.packed[first : min(beyond, first + MOST_FLOWS)] & _low(self.bits)).tolist()
        return chosen

    @property
    def keys(self) -> UInt64:
        """The keys' parts."""
        keys: UInt64 = self.packed >> np.uint64(self.bits)
        return keys

    @property
    def numbers(self) -> Int64:
        """The numbers of the events."""
        return (self.packed & _low(self.bits)).astype(np.int64)


def _low(bits: int) -> np.uint64:
    return np.uint64((1 << bits) - 1)


@attrs.frozen(eq=False, repr=False)
class FlowPairs:
    """Flows as columns: the place of the track and the number of the event at both ends."""

    from_track: Int32
    from_number: Int32
    into_track: Int32
    into_number: Int32

    def some(self, chosen: Bool) -> "FlowPairs":
        """Those that are chosen."""
        return FlowPairs(
            self.from_track[chosen], self.from_number[chosen], self.into_track[chosen], self.into_number[chosen]
        )


class Flows:
    """The flows of a timeline, indexed by host when an event that has some is first asked for, or before by `prepare`.

    Eight bytes for each end that has another: of a key as many bits are kept as the number of the event leaves, 40 of a
    host with ten million events.
    """

    def __init__(self, timeline: Timeline) -> None:
        self._hosts: dict[int, _Host] = {}
        self._lock = threading.Lock()
        self.is_awaited = False
        """Whether somebody has asked for flows: what they wait for is not paused."""
        for track in timeline.tracks:
            if track.stored is not None:
                self._hosts.setdefault(track.section.host, _Host()).add(track)

    def prepare(self, pause: Callable[[], None]) -> None:
        """Index the flows of all hosts, so that no event waits for that.

        ``pause`` is called every few milliseconds, and may wait for what is more urgent, until somebody asks for flows.
        """

        def pause_for_others() -> None:
            if not self.is_awaited:
                pause()

        for host in self._hosts.values():
            with self._lock:
                host.index(pause_for_others)

    @property
    def hosts(self) -> Sequence[int]:
        """The hosts that recorded anything."""
        return sorted(self._hosts)

    def tracks(self, host: int) -> Sequence[Track]:
        """The tracks of a host by the places that `pairs` gives."""
        return self._hosts[host].tracks

    def of(self, track: Track, event: int, arguments: Mapping[str, StatValue]) -> Sequence[tuple[bool, Track, int]]:
        """What an event of a stored lane led to (True) and came from (False): the tracks and numbers of the others.

        ``arguments`` are its own. What goes back to the event itself is left out.
        """
        own = {name: value for name, value in arguments.items() if name in _STATS and isinstance(value, int)}
        if _IDS.isdisjoint(own):
            return ()
        columns = {name: (np.array([own.get(name, 0)]).astype(np.int64), np.array([name in own])) for name in _STATS}
        producers, consumers = self._ends(track.section.host)
        (out_of, _), (into, _) = _keyed(columns, track.section.kind == "device")
        found = [
            *((True, number) for key in out_of.tolist() for number in consumers.of(key)),
            *((False, number) for key in into.tolist() for number in producers.of(key)),
        ]
        host = self._hosts[track.section.host]
        others = ((outgoing, *host.event(number)) for outgoing, number in dict.fromkeys(found))
        return [each for each in others if each[1] is not track or each[2] != event]

    def pairs(self, host: int) -> FlowPairs:
        """All flows of a host; of several events that handed on under one id the first counts.

        They are told by parts of their keys: see `are_flows`.
        """
        of_host = self._hosts[host]
        producers, consumers = self._ends(host)
        if not len(producers.packed):
            return FlowPairs(*(np.zeros(0, np.int32) for _ in range(4)))
        first = np.searchsorted(producers.keys, consumers.keys)
        begins, ends = producers.numbers[first], consumers.numbers
        others = begins != ends
        return FlowPairs(*of_host.events(begins[others]), *of_host.events(ends[others]))

    def _ends(self, host: int) -> "tuple[_Ends, _Ends]":
        """Both ends of the flows of a host, as soon as they are known."""
        self.is_awaited = True
        with self._lock:
            return self._hosts[host].index(_go_on)

    def are_flows(self, host: int, pairs: FlowPairs) -> Bool:
        """Which of some pairs have whole keys that are equal: all but one in a hundred thousand."""
        return self._hosts[host].are_flows(pairs.from_track, pairs.from_number, pairs.into_track, pairs.into_number)


class _Side:
    """What hands on, or what takes up, as it is found: in one place, of which what is not written takes no memory."""

    def __init__(self, events: int) -> None:
        self._packed: UInt64 = np.empty(events, np.uint64)
        self._count = 0

    def add(self, packed: UInt64) -> None:
        """Put some more behind the others."""
        beyond = self._count + len(packed)
        if beyond > len(self._packed):
            # Some events have several ids.
            self._packed = np.concatenate([self._packed[: self._count], np.empty(beyond, np.uint64)])
        self._packed[self._count : beyond] = packed
        self._count = beyond

    def sorted(self) -> UInt64:
        """All of them."""
        packed = self._packed[: self._count]
        packed.sort()
        return packed


class _Host:
    """The lanes of one host, their events numbered through, and both ends of the flows between them."""

    def __init__(self) -> None:
        self.tracks: list[Track] = []
        self._firsts: list[int] = [0]
        self._ends: tuple[_Ends, _Ends] | None = None

    def add(self, track: Track) -> None:
        """Take in a track, before anything is asked."""
        self.tracks.append(track)
        self._firsts.append(self._firsts[-1] + track.events)

    def event(self, number: int) -> tuple[Track, int]:
        """The track and the number on it of an event's number."""
        place = int(np.searchsorted(self._firsts, number, "right")) - 1
        return self.tracks[place], number - self._firsts[place]

    def events(self, numbers: Int64) -> tuple[Int32, Int32]:
        """The same for many, the tracks by their places."""
        firsts = np.array(self._firsts, np.int64)
        place = np.searchsorted(firsts, numbers, "right") - 1
        return place.astype(np.int32), (numbers - firsts[place]).astype(np.int32)

    def index(self, pause: Callable[[], None]) -> tuple[_Ends, _Ends]:
        """What handed on and what took up, each sorted; only what has another end. Made once and kept."""
        if self._ends is None:
            bits = max(1, self._firsts[-1].bit_length())
            sides = _Side(self._firsts[-1]), _Side(self._firsts[-1])
            for place, track in enumerate(self.tracks):
                for numbers, columns in _flow_columns(track):
                    keyed = _keyed(columns, track.section.kind == "device")
                    for side, (key, of_row) in zip(sides, keyed, strict=True):
                        number = (numbers[of_row] + np.int64(self._firsts[place])).astype(np.uint64)
                        side.add(key >> np.uint64(bits) << np.uint64(bits) | number)
                    pause()
            producers, consumers = (side.sorted() for side in sides)
            del sides
            kept = keep_shared(producers, consumers, np.uint64(bits))
            # What was left out is let go of, of one side before the other is copied.
            producers = producers[: kept[0]].copy()
            consumers = consumers[: kept[1]].copy()
            self._ends = _Ends(producers, bits), _Ends(consumers, bits)
        return self._ends

    def are_flows(self, from_track: Int32, from_number: Int32, into_track: Int32, into_number: Int32) -> Bool:
        """Whether the whole keys of both ends are equal."""
        equal: Bool = np.zeros(len(from_track), np.bool_)
        sides = (self._whole_keys(from_track, from_number, 0), self._whole_keys(into_track, into_number, 1))
        for one in sides[0]:
            for other in sides[1]:
                equal |= (one == other) & (one != 0)
        return equal

    def _whole_keys(self, tracks: Int32, numbers: Int32, side: int) -> Sequence[UInt64]:
        """The keys of events on one side, a column for each kind of id, 0 where an event has none of it."""
        found: Sequence[UInt64] = [np.zeros(len(tracks), np.uint64) for _ in range(_KINDS)]
        order = np.argsort(tracks, kind="stable")
        bounds = np.searchsorted(tracks[order], np.arange(len(self.tracks) + 1)).tolist()
        for track, (first, beyond) in zip(self.tracks, pairwise(bounds), strict=True):
            if first == beyond or track.stored is None:
                continue
            events, rows = track.stored.events_as_recorded(), order[first:beyond]
            for part in range(0, len(rows), _EVENTS_AT_ONCE):
                places = rows[part : part + _EVENTS_AT_ONCE]
                columns = events.integer_stats(_STATS, track.lane().event[numbers[places]].astype(np.int64))
                sides = _sides(columns, track.section.kind == "device", side == 0)
                for column, (having, key) in zip(found, sides, strict=True):
                    column[places[having]] = key
        return found


def _flow_columns(track: Track) -> Iterator[tuple[Int32, Columns]]:
    """The ids of a track's events in parts: the numbers of the events on the track, the columns."""
    assert track.stored is not None
    line = track.stored.line
    try:
        lane = track.lane()
    except FormatError:
        # What cannot be read leads nowhere; whoever draws the lane says so.
        return
    if _IDS.isdisjoint(line.stat_names):
        return
    # By the events' rows in the file.
    numbers = np.empty(len(lane), np.int32)
    numbers[lane.event] = np.arange(len(lane), dtype=np.int32)
    first = 0
    for part in line.stats_in_parts(_EVENTS_AT_ONCE):
        of_part, first = numbers[first : first + len(part)], first + len(part)
        try:
            columns = part.integer_stats(_STATS)
        except FormatError:
            continue
        yield of_part, columns


def _keyed(columns: Columns, is_device: bool) -> Iterator[tuple[UInt64, Int64]]:
    """Keys that events hand work on by and the rows of those events; then those that they take it up by."""
    for handed_on in (True, False):
        sides = list(_sides(columns, is_device, handed_on))
        yield np.concatenate([key for _, key in sides]), np.concatenate([rows for rows, _ in sides])


def _sides(columns: Columns, is_device: bool, handed_on: bool) -> Iterator[tuple[Int64, UInt64]]:
    """For each of the `_KINDS` of ids the rows of the events that have one on a side, and their keys."""
    identity, present = columns["_p" if handed_on else "_c"]
    rows = np.flatnonzero(present)
    yield rows, _key(identity[rows], columns["_pt" if handed_on else "_ct"][0][rows])
    correlation, present = columns["correlation_id"]
    # Hosts launch, devices run.
    rows = np.flatnonzero(present & (correlation != 0) & (is_device != handed_on))
    yield rows, _key(correlation[rows], np.full(len(rows), _CORRELATION, np.int64))
    flow, present = columns["flow"]
    rows = np.flatnonzero(present & ((flow & (_OUT_OF if handed_on else _INTO)) != 0))
    flow = flow[rows]
    category = (flow.view(np.uint64) >> np.uint64(58)).astype(np.int64)
    yield rows, _key((flow >> 2) & ((1 << 56) - 1), _FIRST_CATEGORY - category)


def _key(identity: Int64, kind: Int64) -> UInt64:
    """One number for an id and its kind, whose high bits depend on all bits of both.

    Of one kind no two ids have the same. The kind is mixed before the id is added: ids and kinds are both small
    numbers, of which sums and differences coincide.
    """
    return _mixed(identity.view(np.uint64) * np.uint64(_MULTIPLIERS[0]) + _mixed(kind.view(np.uint64)))


def _mixed(numbers: UInt64) -> UInt64:
    """Numbers that tell nothing of how near those were to each other (splitmix64's finalizer after a step of it)."""
    mixed = numbers + np.uint64(_MULTIPLIERS[0])
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(_MULTIPLIERS[1])
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(_MULTIPLIERS[2])
    key: UInt64 = mixed ^ mixed >> np.uint64(31)
    return key


def _go_on() -> None:
    """What somebody waits for is not paused."""
