"""Padding in words: what is padded to what, how much of it is used, and which sizes fit."""

from collections.abc import Callable, Collection, Sequence

from scopelight.analysis.padding.records import PaddingRow
from scopelight.analysis.padding.resizing import next_multiple
from scopelight.program.hlo.tiling import DimensionPadding
from scopelight.report.foreign_text import printable, shortened
from scopelight.report.language import template, text
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
        return text("fits") if row.used_ratio >= 1 else used_text(row.used_ratio)
    sizes = ", ".join(f"{count(each.size)} → {count(each.padded)}" for each in padded)
    return f"{sizes}: {used_text(row.used_ratio)}"


def used_text(used_ratio: float) -> str:
    """``4.7 % used``; what is nearly all of it is not written as all of it."""
    return text("{share} used", share=">99.9 %" if 0.9995 <= used_ratio < 1 else share(used_ratio))


def factor(used_ratio: float) -> str:
    """How many times the work is done that is used: ``1.9×``."""
    times = 1 / used_ratio if used_ratio > 0 else 0.0
    if times >= 9.95:
        return f"{count(round(times))}×"
    return f"{times:.1f}×" if times >= 1.095 else f"{times:.2f}×"


def padding_sentence(
    row: PaddingRow,
    target: str | None,
    foreign: Callable[[str], str] = printable,
    edited: Collection[int] = (),
    fitting_tile: Callable[[DimensionPadding], int] = lambda dimension: dimension.tile,
) -> str:
    """What is padded, how much of it is waste, and the exact sizes that fit.

    ``target`` is the device that a prediction is for; ``foreign`` writes what comes from the profile. Sizes that were
    ``edited`` since are named: what is said is without them. What fits is a multiple of the ``fitting_tile`` of a
    dimension.
    """
    op = foreign(shortened(row.primitive or row.op))
    values = {"share": share(1 - row.used_ratio), "op": op, "shape": foreign(row.shape)}
    if row.basis == "matrix-unit":
        what = text("{share} of what the matrix unit computes for {op} {shape} is padding", **values)
    elif row.inner is None:
        what = text("{share} of {shape} as {op} lays it in memory is padding", **values)
    else:
        # Inside a fusion an array is worked on tile by tile and never lies in memory.
        what = text("{share} of {shape} as {op} works on it, tile by tile, is padding", **values)
    if row.extra_bytes is not None and row.basis != "matrix-unit":
        what = f"{what}, {byte_size(row.extra_bytes)}"
    if row.predicted:
        device = foreign(target) if target else text("the target")
        what = text("On {device} (predicted), {what}", device=device, what=what)
    padded = padded_dimensions(row)
    sentences = [f"{what}: {_padded(padded)}" if padded else what]
    if padded:
        # Several dimensions may be of one size.
        fitting = dict.fromkeys(_fitting(each, fitting_tile(each)) for each in padded)
        sentences.append(text("What fits: {sizes}", sizes="; ".join(fitting)))
    edits = list(dict.fromkeys(each.size for each in row.dims if each.size in edited))
    if edits:
        sizes = ", ".join(map(count, edits))
        sentences.append(text("Edited since the run, and left out here: {sizes}", sizes=sizes))
    return f"{'. '.join(sentences)}."


def role_name(role: str) -> str:
    """What a dimension is for, in words."""
    return text(role)


_ROLES = (template("batch"), template("feature"), template("spatial"), template("contracting"))
"""What roles are called, for translators."""


def _padded(dimensions: Sequence[DimensionPadding]) -> str:
    """``the feature dimension 520 is padded to 640 (tile 128) and the batch dimension 3 to 8 (tile 8)``."""
    parts = [
        text(
            "the {role} dimension {size} to {padded} (tile {tile})"
            if place
            else "the {role} dimension {size} is padded to {padded} (tile {tile})",
            role=role_name(each.role),
            size=count(each.size),
            padded=count(each.padded),
            tile=count(each.tile),
        )
        for place, each in enumerate(dimensions)
    ]
    return parts[0] if len(parts) == 1 else text("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def _fitting(dimension: DimensionPadding, tile: int) -> str:
    """``2 432 or 2 560 instead of 2 500``."""
    lower = dimension.size // tile * tile if tile > 0 else 0
    upper = max(dimension.padded, next_multiple(dimension.size, tile))
    values = {"lower": count(lower), "upper": count(upper), "size": count(dimension.size)}
    if lower >= dimension.size * _LEAST_LOWER_RATIO:
        return text("{lower} or {upper} instead of {size}", **values)
    return text("{upper} instead of {size}", **values)
