"""Notes: findings on how the figures of an op are to be read, where they cannot be taken as they are."""

from collections.abc import Iterable, Iterator, Sequence

from scopelight.analysis.ops.records import OpRow
from scopelight.analysis.ops.utilisation import COMPUTE, MAIN, Utilisation, lacks_peak
from scopelight.findings import Finding, note, warning
from scopelight.model.devices.peaks import SET_PEAKS, Peaks


def peak_notes(used: Utilisation) -> Iterator[Finding]:
    """Why rates or shares of the peak of an op or several are not known, or not in full; nothing where all is plain."""
    if used.is_beside:
        yield note("beside-other-ops")
    elif used.lacks_compute_peak:
        yield note("type-without-peak" if COMPUTE not in used.seconds else "type-without-peak-in-part", SET_PEAKS)


def rates_above_peak(
    rows: Sequence[tuple[OpRow, Utilisation]], peaks: Iterable[Peaks], whole_ps: int
) -> Finding | None:
    """Why ops are faster than a peak, once for all of them; None where none is.

    ``evidence`` are the keys of the ops, ``limits`` whose peaks they exceed: ``compute`` and memory spaces.
    """
    above = [(row, used) for row, used in rows if any(used.exceeds(limit) for limit in used.seconds)]
    if not above:
        return None
    limits = dict.fromkeys(limit for _, used in above for limit in used.seconds if used.exceeds(limit))
    of = list(peaks)
    self_ps = sum(row.self_ps for row, _ in above)
    return Finding(
        "rates-above-peak",
        "note",
        {
            "ops": len(above),
            "share_ratio": self_ps / whole_ps if whole_ps else 0.0,
            "limits": tuple(limits),
            "basis": next((each.basis for each in of), None),
            "cache_bytes_per_s": next((each.cache_bytes_per_s for each in of), None),
        },
        evidence=tuple(row.key for row, _ in above),
    )


def bandwidth_unknown(peaks: Iterable[Peaks]) -> Iterator[Finding]:
    """That what ops are bound by is not known, for want of a bandwidth of a device whose FLOP rates have a peak."""
    lacking = [each for each in peaks if each.flops_per_s and MAIN not in each.bytes_per_s]
    if lacking:
        measured = any(each.basis == "calibrated" for each in lacking)
        yield warning("bandwidth-unknown", SET_PEAKS, device=lacking[0].device, measured=measured)


def types_without_peak_warning(rows: Iterable[tuple[OpRow, Utilisation]]) -> Iterator[Finding]:
    """How shares of the peak are to be read, where the peaks of some types are not known.

    An op has no share either where its time is not known: that says nothing of its type.
    """
    of_type: dict[str, int] = {}
    whole = 0
    for row, used in rows:
        whole += row.flops or 0
        if row.flops and COMPUTE not in used.seconds and not row.asynchronous:
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


def kernels_warning(longest: str, others: int, share_ratio: float) -> Finding:
    """Of sums that hold ops of several kernels: the longest of them, and what share of the op time all have."""
    return warning("ops-of-several-kernels", op=longest, others=others, share_ratio=share_ratio)
