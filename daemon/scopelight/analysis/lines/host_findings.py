"""What is to be known of the lines that devices waited for: where they are missing, or less than told."""

from collections.abc import Iterator
from typing import Final

from scopelight.analysis.totals.scoped import Scoped
from scopelight.findings import PROFILE_SCRIPT, Finding, note, warning
from scopelight.model.profile import Profile

_LEAST_UNATTRIBUTED_RATIO: Final = 0.05
_MOST_STEP_NS: Final = 100_000
"""By how much the clock of the trace may go another way than one that nobody sets, before it was set itself."""
_MOST_NAMED: Final = 3


def host_findings(profile: Profile, scoped: Scoped) -> Iterator[Finding]:
    """Of a profile, in a scope."""
    if scoped.wall is None:
        return
    recordings = profile.recordings
    if not recordings:
        if scoped.share_ratio(scoped.waiting.unattributed_ps) >= _LEAST_UNATTRIBUTED_RATIO:
            is_left_out = profile.capture is not None and not profile.capture.records_host
            yield note("host-left-out" if is_left_out else "host-not-in-profile", PROFILE_SCRIPT)
        return
    dark = list(dict.fromkeys(each.codes[code].function for each in recordings for code in each.dark))
    if dark:
        yield note("lines-not-told-apart", names=tuple(dark[:_MOST_NAMED]), more=len(dark[_MOST_NAMED:]))
    clocks = [each.clocks for each in recordings if len(each.clocks) > 1]
    drifts = [abs((last[0] - first[0]) - (last[1] - first[1])) for first, *_, last in clocks]
    if max(drifts, default=0) > _MOST_STEP_NS:
        yield warning("host-clock-was-set", clock_step_ps=max(drifts) * 1000)
