"""What is to be known of the lines that devices waited for: where they are missing, or less than told."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from scopelight.analysis.steps.steps import Steps
from scopelight.analysis.totals.scoped import Scoped
from scopelight.findings import PROFILE_SCRIPT, Finding, note, warning
from scopelight.formats.columns import Int64, distinct_values
from scopelight.model.profile import Profile

if TYPE_CHECKING:
    from scopelight.formats.host_recording.reader import HostRecording

_LEAST_UNATTRIBUTED_RATIO: Final = 0.05
_MOST_STEP_NS: Final = 100_000
"""By how much the clock of the trace may go another way than one that nobody sets, before it was set itself."""
_MOST_NAMED: Final = 3
_LEAST_STEP_RATIO: Final = 2.0
"""So many times what lies between two samples a step takes of which they tell where Python's time goes (measured, of
steps that spend half of their time there: none of it is found in steps of 0.5 times that, a third in those as long,
half at 1.6 times, four fifths at 1.9 times; where they are 10 ms apart, none at 0.8 and two fifths at 1.8 times).
"""
_LINES_TOLD: Final = (3, 12)
"""The first version of Python that tells of each line."""


def host_findings(profile: Profile, scoped: Scoped, steps: Steps) -> Iterator[Finding]:
    """Of a profile, in a scope; ``steps`` are its complete ones."""
    if scoped.wall is None:
        return
    recordings, damage = profile.recordings, profile.host_damage()
    yield from damage
    if not recordings:
        if not damage and scoped.share_ratio(scoped.waiting.unattributed_ps) >= _LEAST_UNATTRIBUTED_RATIO:
            is_left_out = profile.capture is not None and not profile.capture.records_host
            yield note("host-left-out" if is_left_out else "host-not-in-profile", PROFILE_SCRIPT)
        return
    sampled = [each for each in recordings if not each.has_lines and not _could_tell(each.python)]
    if sampled and any(line.basis == "estimated" for line in scoped.waiting.lines.values()):
        yield _how_sampled(sampled, steps)
    for code, rows in (
        ("lines-not-told-apart", [(each, each.dark) for each in recordings]),
        ("lines-of-loops-told-once", [(each, each.quiet) for each in recordings]),
    ):
        names = list(dict.fromkeys(each.codes[row].function for each, of in rows for row in of))
        if names:
            yield note(code, names=tuple(names[:_MOST_NAMED]), more=len(names[_MOST_NAMED:]))
    clocks = [each.clocks for each in recordings if len(each.clocks) > 1]
    drifts = [abs((last[0] - first[0]) - (last[1] - first[1])) for first, *_, last in clocks]
    if max(drifts, default=0) > _MOST_STEP_NS:
        yield warning("host-clock-was-set", clock_step_ps=max(drifts) * 1000)


def _could_tell(python: str) -> bool:
    """Whether a version of Python tells of each line."""
    found = re.match(r"(\d+)\.(\d+)", python)
    return found is not None and (int(found[1]), int(found[2])) >= _LINES_TOLD


def _how_sampled(recordings: "Sequence[HostRecording]", steps: Steps) -> Finding:
    """What samples are good for: of short steps they tell little.

    A sample waits for the interpreter, so that in a short step it is taken where the script lets go of it.
    """
    apart: Int64 = np.concatenate([np.diff(distinct_values(each.samples.taken_ns)) for each in recordings])
    if not len(apart) or not len(steps):
        return note("host-lines-sampled")
    step_ps, apart_ps = round(float(steps.duration_ps.mean())), round(float(np.median(apart))) * 1000
    if step_ps >= _LEAST_STEP_RATIO * apart_ps:
        return note("host-lines-sampled")
    return note("steps-short-for-samples", step_ps=step_ps, apart_ps=apart_ps)
