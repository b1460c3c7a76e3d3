"""Comparable: which of the hosts that were read are of one job, and whole enough to be held against the others."""

from collections.abc import Sequence

import numpy as np

from scopelight.analysis.hosts.summary import Summary, merge
from scopelight.findings import Finding, warning
from scopelight.model.opening.clocks import started_apart

LEAST_WHOLE_RATIO = 0.9
"""Of the collectives that most hosts met in, what a file that was cut off must have kept."""
_CUT_OFF = frozenset(("file-cut-off", "plane-cut-off", "plane-read-in-part"))


def comparable(summary: Summary) -> tuple[Summary, tuple[Finding, ...]]:
    """The hosts that can be compared, and a warning for each that is left out: it costs itself alone.

    A host that started a day apart from most is of something else; of one whose file was cut off the rest would shorten
    what all have.
    """
    parts: Sequence[Summary] = summary.parts
    if len(parts) < 2:
        return summary, ()
    apart = started_apart([each.hosts[0].started_ns for each in parts])
    counts = np.array([len(each.collectives) for each in parts])
    usual = float(np.median(counts))
    kept, findings = [], []
    for part, is_apart, count in zip(parts, apart, counts.tolist(), strict=True):
        host = part.hosts[0]
        is_cut_off = any(each.code in _CUT_OFF for each in host.findings)
        if is_apart:
            findings.append(warning("host-foreign", host=host.name))
        elif is_cut_off and count < LEAST_WHOLE_RATIO * usual:
            findings.append(warning("host-cut-off", host=host.name, collectives=count, of=round(usual)))
        else:
            kept.append(part)
    if not findings or not kept:
        return summary, ()
    return merge(kept), tuple(findings)
