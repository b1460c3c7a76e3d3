"""What is known of the traces that were taken: what they cost, and the steps that were seen in them."""

from pathlib import Path

import attrs

from scopelight.findings import Finding
from scopelight.model.run.information import TraceCost

LEAST_PERIODS = 3
"""Steps are judged by so many at least."""
LEAST_AFTER_COMPILE = 2
"""So many steps begin after the last compile at least, where those before it count."""


@attrs.frozen
class Traced(TraceCost):
    """One finished trace, and the file that it lies in."""

    file: Path


@attrs.frozen
class Cut:
    """What of a trace belongs to steps that its borders cut: executions of ops before the first whole step and after
    the last, and how long they took. What was under way at the borders themselves is in no trace."""

    before: int
    after: int
    cut_ps: int


@attrs.frozen
class Observation:
    """What the launcher found in a trace: steps, as they will be shown. ``period_seconds``, from the start of one to
    that of the next, is None where there are none: ``why_none``."""

    period_seconds: float | None
    periods: int = 0
    """Complete steps."""
    seen: int | None = None
    """Steps in which nothing was compiled, in this trace or also in those joined with it; None: all that are
    complete."""
    begun_since_compile: int | None = None
    """How many of the steps began after the last program was compiled; None where no compile was seen."""
    executions: int = 0
    """Of ops, or of programs where the runtime records no op."""
    why_none: Finding | None = None
    is_unreadable: bool = False
    cut: Cut | None = None
    """None where there are no steps."""
    name: str = ""
    """Of the annotation or the program that stands for the steps."""
    burst_seconds: float | None = None
    """How long a burst of steps lasts, with the long step at its end, and how many steps it has on average; None where
    they do not come in bursts."""
    burst_steps: float | None = None

    @property
    def goes_on(self) -> bool:
        """Whether what repeats did so after the last compile, of whatever program."""
        return self.begun_since_compile is None or self.begun_since_compile >= LEAST_AFTER_COMPILE

    @property
    def found(self) -> int:
        """How many steps there are to judge by."""
        return self.periods if self.seen is None else self.seen

    def or_joined(self, joined: "Observation") -> "Observation":
        """This one of a trace alone where it is enough, else that of the trace joined with those before it.

        There a preparation may outweigh the steps, which then does not go on.
        """
        enough = self.found >= LEAST_PERIODS and self.goes_on
        return joined if not enough and joined.goes_on and joined.found > self.found else self


@attrs.define
class Candidate:
    """A trace that may become the profile, with what was seen in it once that is known."""

    traced: Traced
    is_window: bool
    observation: Observation | None = None
