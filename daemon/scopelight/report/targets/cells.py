"""What is said of a compared run, or of one of its lines, in a cell of a table: times of a prediction are marked."""

from scopelight.analysis.targets.records import ComparedFigures, ComparedRun
from scopelight.report.language import text
from scopelight.report.numbers import byte_size, duration, share
from scopelight.report.prediction.marks import predicted_times, timed
from scopelight.report.sizes_of_whole import known_size

_LEAST_BYTES = 16 << 10
"""What is smaller, such as a number in a tile of its own, is padded to a size that nobody feels."""
_LEAST_FACTOR = 1.05
"""What is padded to less than this much more is not worth a word."""


def heading(run: ComparedRun) -> str:
    """What is over the columns of a run: its name, and that it was measured."""
    return run.name if run.basis == "predicted" else text("{run}, measured", run=run.name)


def verdict(run: ComparedRun) -> str:
    """``fits``, ``does not fit``; what is not known is said, and what was measured did fit."""
    if run.basis == "measured":
        return text("measured")
    if run.fits is None:
        return text("not known")
    return text("fits") if run.fits else text("does not fit")


def needed(run: ComparedRun) -> str:
    """``2.1 of 15.75 GiB``."""
    return known_size(run.needed_bytes, run.available_bytes)


def padding_at_peak(run: ComparedRun) -> str:
    """What of the peak is padding."""
    if run.peak_bytes is None or run.peak_unpadded_bytes is None:
        return ""
    return share((run.peak_bytes - run.peak_unpadded_bytes) / max(1, run.peak_bytes))


def step_time(run: ComparedRun) -> str:
    """``≈406 µs``."""
    with predicted_times(run.basis == "predicted"):
        return "" if run.step_ps is None else duration(run.step_ps)


def padding_of_time(run: ComparedRun) -> str:
    """What of the time of its ops goes into padding."""
    with predicted_times(run.basis == "predicted"):
        return "" if run.padding_ratio is None else timed(share(run.padding_ratio))


def unestimated(run: ComparedRun) -> str:
    """The part of the bytes that ops move which have no estimate: ``12.0 %``, ``34.2 %, between slices too``."""
    if run.step_ps is None or run.unestimated_bytes_ratio is None:
        return ""
    ratio = share(run.unestimated_bytes_ratio)
    return text("{ratio}, between slices too", ratio=ratio) if run.has_slices else ratio


def line_time(run: ComparedRun, figures: ComparedFigures | None) -> str:
    """``≈35.1 ms``; nothing of a line that has no ops."""
    with predicted_times(run.basis == "predicted"):
        return "" if figures is None or not figures.per_step_ps else duration(figures.per_step_ps)


def line_share(run: ComparedRun, figures: ComparedFigures | None) -> str:
    """``≈29.2 %``."""
    with predicted_times(run.basis == "predicted"):
        return "" if figures is None or not figures.share_ratio else timed(share(figures.share_ratio))


def line_peak(figures: ComparedFigures | None) -> str:
    """What it has at the peak."""
    return "" if figures is None or not figures.peak_bytes else byte_size(figures.peak_bytes)


def line_padding(figures: ComparedFigures | None) -> str:
    """``1.9×``: how much larger the work of the line is by padding; where that is not known, its bytes at the peak."""
    if figures is None:
        return ""
    factor = 1.0
    if figures.used_ratio:
        factor = 1 / figures.used_ratio
    elif figures.peak_unpadded_bytes and (figures.peak_bytes or 0) >= _LEAST_BYTES:
        factor = (figures.peak_bytes or 0) / figures.peak_unpadded_bytes
    return f"{factor:.1f}×" if factor >= _LEAST_FACTOR else ""
