"""Notes: sentences on how the figures of an op are to be read, where they cannot be taken as they are."""

from collections.abc import Iterable, Iterator, Sequence

from scopelight.analysis.ops.records import OpRow
from scopelight.analysis.ops.utilisation import COMPUTE, MAIN, Utilisation, lacks_peak
from scopelight.model.devices.peaks import Basis

_LEAST_EXCESS_RATIO = 0.0005
"""Less above the peak than this is written as all of it."""

_FASTER_THAN_MEASURED = {
    COMPUTE: (
        "Computes faster than the measured peak: the machine was busier while it was measured, or this work suits it"
        " better."
    ),
    MAIN: "Moves bytes faster than the measured peak of main memory: data was in the processor's caches.",
}
_FASTER_THAN_SET = {
    COMPUTE: "Computes faster than the peak that the settings give: the device can do more.",
    MAIN: ("Moves bytes faster than the peak that the settings give: data was in caches, or the device can do more."),
}
_FASTER_THAN_THE_DEVICE = {
    COMPUTE: "Computes faster than the peak of the device: not all of the FLOPs on record were computed.",
    MAIN: (
        "Moves bytes faster than the peak of main memory: data was in caches, or not all of the bytes on record were"
        " moved."
    ),
}

_BESIDE = (
    "Only starts or awaits work that goes on beside other ops: what it computes and moves is not of its own time alone,"
    " so no rate is known."
)

_SET_PEAK = "The setting scopelight.peakFlops gives a type its peak."
_WITHOUT_PEAK = (
    "The peak of the type that it computes in is not known: neither is how much of it was used, nor what it is bound"
    f" by. {_SET_PEAK}"
)
_WITHOUT_PEAK_IN_PART = (
    f"Some of the FLOPs are of a type whose peak is not known: more of compute was used than is said here. {_SET_PEAK}"
)


def peak_notes(used: Utilisation, basis: Basis | None) -> Iterator[str]:
    """Why rates exceed their peaks, which are of this ``basis``, or there are none; nothing where all is plain."""
    if used.is_beside:
        yield _BESIDE
    elif used.lacks_compute_peak:
        yield _WITHOUT_PEAK if COMPUTE not in used.seconds else _WITHOUT_PEAK_IN_PART
    sentences = _FASTER_THAN_THE_DEVICE
    if basis == "calibrated":
        sentences = _FASTER_THAN_MEASURED
    elif basis == "setting":
        sentences = _FASTER_THAN_SET
    for limit in used.seconds:
        if (used.ratio(limit) or 0.0) > 1 + _LEAST_EXCESS_RATIO:
            yield sentences.get(limit) or (
                f"Moves bytes of {limit} faster than its peak: not all of the bytes on record were moved."
            )


def types_without_peak_warning(rows: Iterable[OpRow]) -> Iterator[str]:
    """What is to be known of shares of the peak, where the peaks of others are known."""
    of_type: dict[str, int] = {}
    whole = 0
    for row in rows:
        whole += row.flops or 0
        if row.flops and row.flop_utilisation_ratio is None and not row.asynchronous:
            element_type = row.element_type or "an unknown type"
            of_type[element_type] = of_type.get(element_type, 0) + row.flops
    without = sum(of_type.values())
    if not lacks_peak(whole, without):
        return
    types = ", ".join(sorted(of_type, key=lambda each: -of_type[each]))
    yield (
        f"Of {without / whole * 100:.1f} % of the FLOPs, in {types}, the peak is not known: they count as nothing in"
        f" shares of the peak, which are at least what is said. {_SET_PEAK}"
    )


def loop_note(runs: int) -> str:
    """What is to be known of an op of a program that did not run, in a loop whose count the compiler states."""
    return f"In one run of the program it runs {runs:,} times: its FLOPs and bytes are those of all of them."


def kernels_warning(rows: Sequence[OpRow]) -> str:
    """What is to be known of sums that hold such ops, the longest of which comes first."""
    share_ratio = sum(row.share_ratio for row in rows)
    others = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    return (
        f"{rows[0].name}{others}, {share_ratio * 100:.1f} % of the op time: one run takes several kernels, and the"
        " FLOPs and bytes of the whole op are counted for each of them, as XProf does. Sums and rates that hold them"
        " are too high."
    )


def kernels_note(kernels: int) -> str:
    """What is to be known of an op that takes several ``kernels`` in one run, each an execution with its whole cost."""
    return (
        f"One run of it takes {kernels} kernels, and the FLOPs and bytes on record are counted for each of them, as"
        f" XProf does. They are those of the whole op: what it computed and moved, and its rates, are 1/{kernels} of"
        " these."
    )
