"""Limits of windows: for how long a trace may run so that it does not become larger than was asked for."""

from collections.abc import Iterator, Sequence

from scopelight.capture.observed import Traced
from scopelight.findings import Finding, warning
from scopelight.model.run.information import WindowOptions


def most_seconds(options: WindowOptions, probes: Sequence[Traced]) -> float | None:
    """How long a window may be; None where no limit is known.

    What was asked for in seconds is kept exactly. Bytes are estimated: from how much was written in a second by the
    last trace before it, as long as there was one.
    """
    limits = [] if options.most_seconds is None else [options.most_seconds]
    if options.most_bytes is not None and probes and probes[-1].bytes and probes[-1].seconds:
        limits.append(options.most_bytes * probes[-1].seconds / probes[-1].bytes)
    return min(limits, default=None)


def larger_than_asked(trace_bytes: int, options: WindowOptions) -> Iterator[Finding]:
    """A warning where a window is larger than was asked for after all."""
    if options.most_bytes is not None and trace_bytes > options.most_bytes:
        yield warning("larger-than-asked", trace_bytes=trace_bytes, most_bytes=options.most_bytes)
