"""What a window plan answers with: what is to be done next with the traces of a job."""

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
class Close:
    """Action: this trace is the profile; the script may go on."""

    traced: Traced
    kind: WindowKind
    findings: tuple[Finding, ...] = ()
    steps: int | None = None
    """How many of the steps count at most, in a window of steps."""


Action = Trace | Stop | Observe | Close
