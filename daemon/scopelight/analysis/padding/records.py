"""Records of padding: arrays that tiles round up, and products that do not fill the matrix unit."""

from typing import Literal

import attrs

from scopelight.analysis.records import Basis, ExtentRecord, Phase, ViewRecord
from scopelight.program.hlo.tiling import DimensionPadding

PaddingBasis = Literal["layout", "matrix-unit"]
"""Padding in memory, by the layout's tiles, or in the matrix unit, by its size."""


@attrs.frozen(slots=True)
class MatrixUnitRecord:
    """The matrix unit that products were held against.

    ``basis`` is ``measured`` where the profile names the device that it is of, ``estimated`` where nothing does and the
    smallest of the TPUs was assumed (``device`` is then None), and ``predicted`` for the chosen target.
    """

    rows: int
    columns: int
    device: str | None
    basis: Basis


@attrs.frozen(slots=True)
class PaddingRow:
    """One op's padding.

    ``shape`` is the padded array (``layout``), or the product that the matrix unit computes, written
    ``[rows,contracting]x[contracting,columns]`` (``matrix-unit``). ``used_ratio`` is the share of the padded size
    that is used, over all ``dims``. ``extra_bytes`` is what the padding of the array takes; None on the matrix unit.
    ``predicted`` says that it is for the chosen target and not for the device that ran. ``share_ratio`` is the op's
    share of the op time, None where nothing ran.

    ``inner`` is the instruction inside the op, a fusion, that makes the array or product; None where the op itself
    does. An array inside a fusion never lies in memory as a whole: its padding is worked on, tile by tile, and
    ``self_ps`` and ``share_ratio`` are of the part of the fusion's time that the instruction is estimated to take.
    """

    key: str
    """The op's."""
    line_key: str | None
    program: str
    program_id: str
    op: str
    path: str | None
    file: str | None
    line: int | None
    shape: str
    dims: tuple[DimensionPadding, ...]
    used_ratio: float
    extra_bytes: int | None
    basis: PaddingBasis
    predicted: bool
    self_ps: int | None
    share_ratio: float | None
    inner: str | None = None
    primitive: str = ""
    """The operation of jax that makes the array or product; empty where none is known."""
    phase: Phase | None = None
    """Of the same."""


@attrs.frozen(slots=True)
class PaddingTotals:
    """How much padding there is, that of rows which are not listed included.

    ``arrays`` lie in memory with ``extra_bytes`` of padding, each counted by itself; ``fused_arrays`` are worked on
    inside fusions; ``products`` do not fill the matrix unit.
    """

    rows: int
    arrays: int
    extra_bytes: int
    fused_arrays: int
    products: int


@attrs.frozen(slots=True)
class PaddingRecord(ViewRecord):
    """Every padded array and product, greatest waste first.

    ``rows`` are the first of them, ``totals`` those of all. ``matrix_unit`` is None where no product was held against
    one. Notes among ``findings`` say which products are left out and why.
    """

    target: str | None
    """The chosen device whose tiles, or whose matrix unit alone where layouts say the tiles, were taken; else None."""
    rows: tuple[PaddingRow, ...]
    totals: PaddingTotals
    extent: ExtentRecord
    matrix_unit: MatrixUnitRecord | None
