"""Padding in words: what is padded to what, how much of it is used, and which sizes fit."""

from collections.abc import Callable, Collection, Sequence

from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.padding.resizing import next_multiple
from scopelight.program.hlo.tiling import DimensionPadding
from scopelight.report.foreign_text import printable
from scopelight.report.numbers import byte_size, count, share

_LEAST_LOWER_RATIO = 0.75
"""A smaller size that fits is worth a word where it is not much smaller."""


def padded_dimensions(row: PaddingRow) -> tuple[DimensionPadding, ...]:
    """The dimensions of a row that are padded, the most wasteful first."""
    padded = [each for each in row.dims if each.padded > each.size]
    return tuple(sorted(padded, key=lambda each: each.size / each.padded))


def padding_facts(row: PaddingRow) -> str:
    """``16 → 128, 3 → 8: 4.7 % used``; ``fits`` where nothing is padded."""
    padded = [each for each in row.dims if each.padded > each.size]
    if not padded:
        return "fits" if row.used_ratio >= 1 else used_text(row.used_ratio)
    sizes = ", ".join(f"{count(each.size)} → {count(each.padded)}" for each in padded)
    return f"{sizes}: {used_text(row.used_ratio)}"


def used_text(used_ratio: float) -> str:
    """``4.7 % used``; what is nearly all of it is not written as all of it."""
    return ">99.9 % used" if 0.9995 <= used_ratio < 1 else f"{share(used_ratio)} used"


def factor(used_ratio: float) -> str:
    """How many times the work is done that is used: ``1.9×``."""
    times = 1 / used_ratio if used_ratio > 0 else 0.0
    if times >= 9.95:
        return f"{count(round(times))}×"
    return f"{times:.1f}×" if times >= 1.095 else f"{times:.2f}×"


def padding_sentence(
    row: PaddingRow,
    op: str,
    target: str | None,
    foreign: Callable[[str], str] = printable,
    edited: Collection[int] = (),
    fitting_tile: Callable[[DimensionPadding], int] = lambda dimension: dimension.tile,
) -> str:
    """What is padded, how much of it is waste, and the exact sizes that fit.

    ``op`` is what people call the op; ``target`` the device that a prediction is for. ``foreign`` writes what comes
    from the profile. Sizes that were ``edited`` since are named: what is said is without them. What fits is a
    multiple of the ``fitting_tile`` of a dimension.
    """
    where = f"On {foreign(target) if target else 'the target'} (predicted), " if row.predicted else ""
    op, shape = foreign(op), foreign(row.shape)
    if row.basis == "matrix-unit":
        what = f"{share(1 - row.used_ratio)} of what the matrix unit computes for {op} {shape} is padding"
    else:
        extra = f", {byte_size(row.extra_bytes)}" if row.extra_bytes is not None else ""
        # Inside a fusion an array is worked on tile by tile and never lies in memory.
        lies = "lays it in memory" if row.inner is None else "works on it, tile by tile,"
        what = f"{share(1 - row.used_ratio)} of {shape} as {op} {lies} is padding{extra}"
    padded = padded_dimensions(row)
    sentences = [f"{where}{what}"]
    if padded:
        sentences[0] += f": {_padded(padded)}"
        # Several dimensions may be of one size.
        fitting = dict.fromkeys(_fitting(each, fitting_tile(each)) for each in padded)
        sentences.append(f"What fits: {'; '.join(fitting)}")
    edits = list(dict.fromkeys(each.size for each in row.dims if each.size in edited))
    if edits:
        sentences.append(f"Edited since the run, and left out here: {', '.join(count(each) for each in edits)}")
    return f"{'. '.join(sentences)}."


def _padded(dimensions: Sequence[DimensionPadding]) -> str:
    """``the feature dimension 520 is padded to 640 (tile 128) and the batch dimension 3 to 8 (tile 8)``."""
    parts = [
        f"the {each.role} dimension {count(each.size)}{'' if place else ' is padded'} to {count(each.padded)}"
        f" (tile {count(each.tile)})"
        for place, each in enumerate(dimensions)
    ]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _fitting(dimension: DimensionPadding, tile: int) -> str:
    """``2 432 or 2 560 instead of 2 500``."""
    lower = dimension.size // tile * tile if tile > 0 else 0
    sizes = [lower] if lower >= dimension.size * _LEAST_LOWER_RATIO else []
    upper = max(dimension.padded, next_multiple(dimension.size, tile))
    return f"{' or '.join(count(each) for each in (*sizes, upper))} instead of {count(dimension.size)}"
