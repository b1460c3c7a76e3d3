"""Notes: findings on how the figures of an op are to be read, where they cannot be taken as they are."""

from collections.abc import Iterable, Iterator, Sequence

from scopelight.analysis.ops.records import OpRow
from scopelight.analysis.ops.utilisation import COMPUTE, MAIN, Utilisation, lacks_peak
from scopelight.findings import Finding, note, warning
from scopelight.model.devices.peaks import SET_PEAKS, Basis

_LEAST_EXCESS_RATIO = 0.0005
"""Less above the peak than this is written as all of it."""

_FASTER = {
    "calibrated": {
        COMPUTE: note("computes-faster-than-measured"),
        MAIN: note("moves-faster-than-measured"),
    },
    "setting": {
        COMPUTE: note("computes-faster-than-set"),
        MAIN: note("moves-faster-than-set"),
    },
}
"""By basis of the peaks and by limit: the rate exceeds its peak."""
_FASTER_THAN_THE_DEVICE = {
    COMPUTE: note("computes-faster-than-device"),
    MAIN: note("moves-faster-than-device"),
}


def peak_notes(used: Utilisation, basis: Basis | None) -> Iterator[Finding]:
    """Why rates exceed their peaks, which are of this ``basis``, or there are none; nothing where all is plain."""
    if used.is_beside:
        yield note("beside-other-ops")
    elif used.lacks_compute_peak:
        yield note("type-without-peak" if COMPUTE not in used.seconds else "type-without-peak-in-part", SET_PEAKS)
    findings = _FASTER.get(basis or "", _FASTER_THAN_THE_DEVICE)
    for limit in used.seconds:
        if (used.ratio(limit) or 0.0) > 1 + _LEAST_EXCESS_RATIO:
            yield findings.get(limit) or note("moves-faster-than-space", space=limit)


def types_without_peak_warning(rows: Iterable[OpRow]) -> Iterator[Finding]:
    """How shares of the peak are to be read, where the peaks of some types are not known."""
    of_type: dict[str, int] = {}
    whole = 0
    for row in rows:
        whole += row.flops or 0
        if row.flops and row.flop_utilisation_ratio is None and not row.asynchronous:
            of_type[row.element_type] = of_type.get(row.element_type, 0) + row.flops
    without = sum(of_type.values())
    if not lacks_peak(whole, without):
        return
    types = sorted(of_type, key=lambda each: -of_type[each])
    yield warning(
        "types-without-peak",
        SET_PEAKS,
        flops_ratio=without / whole,
        element_types=tuple(each or None for each in types),
    )


def kernels_warning(rows: Sequence[OpRow]) -> Finding:
    """Of sums that hold ops of several kernels, the longest of which comes first."""
    return warning(
        "ops-of-several-kernels",
        op=rows[0].name,
        others=len(rows) - 1,
        share_ratio=sum(row.share_ratio for row in rows),
    )
