"""The spans of time that resources are looked at in: between readings, in each step, in all steps, window and run."""

from collections.abc import Sequence

import attrs
import numpy as np

from scopelight.analysis.host.resources.records import ResourceSpan
from scopelight.analysis.steps.steps import Steps
from scopelight.formats.columns import Bool, Float64, Int64, distinct_values
from scopelight.model.host.resources import Counter
from scopelight.model.profile import Profile

MOST_INTERVALS = 1000
"""Of a series: as many as a chart has pixels."""
_MOST_IN_WINDOW = 700
MOST_STEPS = 500
"""That have means of their own; more are as short as the time between readings."""


@attrs.frozen(eq=False, repr=False)
class Moments:
    """Spans of time by their begins and ends, in ns since the epoch."""

    from_ns: Int64
    to_ns: Int64

    def __len__(self) -> int:
        return len(self.from_ns)

    @property
    def duration_ns(self) -> Float64:
        """How long each is."""
        return (self.to_ns - self.from_ns).astype(np.float64)

    def covered_by(self, counters: Sequence[Counter]) -> tuple["Moments", Bool]:
        """What of each all of some counters tell of, and of which that is half or more."""
        first_ns = max((int(each.time_ns[0]) for each in counters if len(each)), default=0)
        last_ns = min((int(each.time_ns[-1]) for each in counters if len(each)), default=0)
        from_ns = np.clip(self.from_ns, first_ns, max(first_ns, last_ns))
        to_ns = np.clip(self.to_ns, first_ns, max(first_ns, last_ns))
        covered_ns = (to_ns - from_ns).astype(np.float64)
        return Moments(from_ns, to_ns), (covered_ns > 0) & (covered_ns * 2 >= self.duration_ns)

    def within(self, first_ns: int, last_ns: int) -> "Moments":
        """What of them lies between two moments; those that do not are left out."""
        from_ns, to_ns = np.maximum(self.from_ns, first_ns), np.minimum(self.to_ns, last_ns)
        kept = to_ns > from_ns
        return Moments(from_ns[kept], to_ns[kept])


@attrs.frozen(eq=False, repr=False)
class Spans:
    """What resources of one profile are looked at in. ``origin_ns`` is what its times count from."""

    origin_ns: int
    edges_ns: Int64
    all_steps: Moments
    """None where it is not known when the profile was made."""
    steps: Moments
    """What of them was read."""
    window: Moments
    """One, or none."""

    @property
    def intervals(self) -> Moments:
        """Between readings."""
        return Moments(self.edges_ns[:-1], self.edges_ns[1:])

    @property
    def run(self) -> Moments:
        """From the first reading to the last."""
        return Moments(self.edges_ns[:1], self.edges_ns[-1:])

    def of(self, span: ResourceSpan) -> Moments:
        """The parts of a span that were read."""
        return {"steps": self.steps, "window": self.window, "run": self.run}[span]

    @property
    def chosen(self) -> ResourceSpan:
        """What means are over: of the spans that were read the first."""
        return "steps" if len(self.steps) else "window" if len(self.window) else "run"

    def relative_ps(self, time_ns: int) -> int:
        """A moment, counted from the origin."""
        return (time_ns - self.origin_ns) * 1000


def spans_of(profile: Profile, steps: Steps, readings_ns: Int64) -> Spans:
    """The spans of a profile beside which it was read, at two moments at least."""
    edges_ns = distinct_values(readings_ns)
    first_ns, last_ns = int(edges_ns[0]), int(edges_ns[-1])
    nothing = Moments(edges_ns[:0], edges_ns[:0])
    began_ns = profile.started_ns
    if began_ns is None:
        return Spans(first_ns, _thinned(edges_ns, nothing), nothing, nothing, nothing)
    whole = Moments(np.array([began_ns]), np.array([began_ns + profile.duration_ps // 1000]))
    start_ns = began_ns + steps.start_ps // 1000
    in_steps = Moments(start_ns, start_ns + steps.duration_ps // 1000)
    window = whole.within(first_ns, last_ns)
    return Spans(began_ns, _thinned(edges_ns, window), in_steps, in_steps.within(first_ns, last_ns), window)


def _thinned(edges_ns: Int64, window: Moments) -> Int64:
    """Edges of at most `MOST_INTERVALS`, most of them within the window, which is what one looks at."""
    if len(edges_ns) <= MOST_INTERVALS:
        return edges_ns
    if not len(window):
        return _some(edges_ns, MOST_INTERVALS)
    first, last = np.searchsorted(edges_ns, [window.from_ns[0], window.to_ns[0]])
    inside = _some(edges_ns[first:last], _MOST_IN_WINDOW)
    before, after = edges_ns[:first], edges_ns[last:]
    room = MOST_INTERVALS - len(inside)
    of_before = room * len(before) // max(1, len(before) + len(after))
    return np.concatenate([_some(before, of_before), inside, _some(after, room - of_before)])


def _some(edges_ns: Int64, most: int) -> Int64:
    """Evenly chosen ones, the first and the last among them."""
    if len(edges_ns) <= most:
        return edges_ns
    return edges_ns[np.linspace(0, len(edges_ns) - 1, max(2, most)).round().astype(np.int64)]


def grown_by(counters: Sequence[Counter], spans: Moments) -> Float64:
    """By how much counters grow in each span, together."""
    grown = np.zeros(len(spans))
    for each in counters:
        grown += each.grown(spans.from_ns, spans.to_ns)
    return grown
