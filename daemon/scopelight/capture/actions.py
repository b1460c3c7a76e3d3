"""What a window plan answers with: what is to be done next with the traces of a job."""

from itertools import pairwise
from statistics import median

import attrs

from scopelight.capture.observed import Traced
from scopelight.findings import Finding
from scopelight.model.run.information import WindowKind


@attrs.frozen
class Trace:
    """Action: trace, after a delay, for some seconds or (None) until told to stop; a trace that runs ends there."""

    after_seconds: float
    seconds: float | None
    is_window: bool


@attrs.frozen
class Stop:
    """Action: stop the running trace; where it ``goes_on``, into another file at once."""

    goes_on: bool = True


@attrs.frozen
class Observe:
    """Action: look for the repetition in this trace, joined with those before it."""

    traced: Traced
    earlier: tuple[Traced, ...] = ()


@attrs.frozen
class StepNumbers:
    """The steps of a window, as the job counts them: ``count`` of ``asked`` from ``first`` on, of a program or
    annotation of this ``name``; ``slow`` are those that were."""

    first: int
    count: int
    asked: int
    name: str | None = None
    epoch: int | None = None
    slow: tuple[int, ...] = ()
    is_of_several: bool = False
    """Whether more than one function has the name, and the calls of all of them were counted."""

    @property
    def last(self) -> int:
        """The last of them; the one before the first where none is whole."""
        return self.first + self.count - 1


@attrs.frozen
class JudgeSteps:
    """Action: should the script end before it is told which are its steps, have the job say by its own guess which of
    them took more than ``slow_ratio`` times as long as the others."""

    slow_ratio: float


@attrs.frozen
class StepsBefore:
    """What the job knows of steps from before it was told which they are: their ``numbers``, when each ``ended``
    (seconds since the epoch), and which of them were ``slow``."""

    numbers: tuple[int, ...]
    ended: tuple[float, ...]
    slow: tuple[int, ...]
    name: str | None = None

    def within(self, start: float, end: float) -> list[int]:
        """The numbers of the steps whose middle lies between these times: a trace may be cut at the end of a pause that
        makes the next step slow."""
        began = (start, *self.ended)
        return [
            number
            for number, before, at in zip(self.numbers, began, self.ended, strict=False)
            if start <= (before + at) / 2 <= end
        ]

    def slow_beside(self, start: float, end: float, slow_ratio: float) -> tuple[int, ...]:
        """The slow ones that took more than ``slow_ratio`` times as long as the others also without what of them lies
        between these times."""
        spans = dict(zip(self.numbers[1:], pairwise(self.ended), strict=False))
        usual = median(at - before for before, at in spans.values()) if spans else 0.0
        beside = {
            each: at - before - max(0.0, min(at, end) - max(before, start)) for each, (before, at) in spans.items()
        }
        return tuple(each for each in self.slow if beside.get(each, 0.0) > slow_ratio * usual)


@attrs.frozen
class Close:
    """Action: this trace is the profile; the script may go on."""

    traced: Traced
    kind: WindowKind
    findings: tuple[Finding, ...] = ()
    steps: int | None = None
    """How many of the steps count at most, in a window of steps."""
    numbers: StepNumbers | None = None
    """Which steps these are by the script's own count."""
    earlier: tuple[Traced, ...] = ()
    """The traces that it follows on, which are part of the profile."""


@attrs.frozen
class CountSteps:
    """Action: the steps are those of the program or annotation of this name; a running probe is needed no more."""

    name: str


@attrs.frozen
class ArmSteps:
    """Action: have the job trace windows of ``steps`` steps by its own count, as many as ``windows``: from ``first``
    on and then ``every`` so many, from an ``epoch`` on, at once, or around slow steps; none for longer than
    ``most_seconds``."""

    steps: int
    windows: int = 1
    first: int | None = None
    every: int | None = None
    epoch: int | None = None
    slow_ratio: float | None = None
    after_slow: bool = False
    most_cost_ratio: float = 0.01
    most_seconds: float | None = None

    @property
    def is_ring(self) -> bool:
        """Whether sessions begin at once, one after the other."""
        return self.slow_ratio is not None and not self.after_slow


Action = Trace | Stop | Observe | Close | JudgeSteps | CountSteps | ArmSteps
