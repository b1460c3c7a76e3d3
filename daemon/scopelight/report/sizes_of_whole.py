"""Sizes of others, such as what a program needs of the memory that there is."""

from scopelight.report.language import text
from scopelight.report.numbers import byte_size

_LEAST_PART_BYTES = 100 << 20
_GIBIBYTE = 1 << 30


def known_size(part_bytes: float | None, whole_bytes: float | None) -> str:
    """The same as far as it is known: without the whole the part alone, without that nothing."""
    if part_bytes is None:
        return ""
    return byte_size(part_bytes) if whole_bytes is None else size_of_whole(part_bytes, whole_bytes)


def size_of_whole(part_bytes: float, whole_bytes: float) -> str:
    """``91.2 of 15.75 GiB``, in as many digits as a size by itself; a small one has a unit of its own: ``16 MiB of
    15.75 GiB``.

    What fits and what does not by a little is told apart.
    """
    if part_bytes < _LEAST_PART_BYTES or whole_bytes < _GIBIBYTE:
        part = byte_size(part_bytes)
        whole = byte_size(whole_bytes) if whole_bytes < _GIBIBYTE else f"{whole_bytes / _GIBIBYTE:.4g} GiB"
        return text("{part} of {whole}", part=part, whole=whole)
    part, whole = _digits(part_bytes / _GIBIBYTE), f"{whole_bytes / _GIBIBYTE:.4g}"
    if (float(part) > float(whole)) != (part_bytes > whole_bytes) or (
        part_bytes > whole_bytes and float(part) == float(whole)
    ):
        part = f"{part_bytes / _GIBIBYTE:.4f}"
    return text("{part} of {whole} GiB", part=part, whole=whole)


def _digits(gibibytes: float) -> str:
    return f"{gibibytes:.3g}" if gibibytes < 999.5 else f"{gibibytes:.0f}"
