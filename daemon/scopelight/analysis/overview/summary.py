"""The figures that sum up how well a run went, each with its basis."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from scopelight.analysis.host.input.view import measured_input
from scopelight.analysis.host.resources.view import resources as resources_view
from scopelight.analysis.ops.records import FlopsRecord
from scopelight.analysis.ops.table import OpTable
from scopelight.analysis.options import NoOptions
from scopelight.analysis.overview.records import SummaryFigure, SummaryQuantity
from scopelight.analysis.records import Basis
from scopelight.analysis.subject import Subject
from scopelight.analysis.totals.centre import Centre
from scopelight.formats.columns import Bool

_MAIN: Final = "main"
_PS_PER_S: Final = 10**12


def summary(
    subject: Subject,
    centre: Centre,
    table: OpTable,
    is_steady: Bool,
    flops: FlopsRecord | None,
    peaks_bytes: Sequence[int],
) -> Iterator[SummaryFigure]:
    """Of the complete steps, or of the whole window where there are none; step times of the steady steps.

    Of a prediction what its host would do, and for how long its devices would idle, is not known.
    """
    is_predicted = subject.profile.prediction is not None
    durations_ps = centre.steps.duration_ps[is_steady] if len(is_steady) else np.zeros(0, dtype=np.int64)
    if len(durations_ps):
        yield SummaryFigure(
            "step",
            float(durations_ps.mean()),
            "predicted" if is_predicted else "measured",
            sigma=float(durations_ps.std()),
            least=float(durations_ps.min()),
            greatest=float(durations_ps.max()),
        )
    wall = table.scoped.wall
    if not is_predicted:
        if wall is not None and wall.wall_ps:
            yield SummaryFigure("device-idle", wall.idle_ps / wall.wall_ps, "measured")
        yield _ratio("host-idle", _host_idle(subject), "estimated")
        yield _ratio("input", measured_input(subject.profile, centre), "measured")
    model = flops.rows[0] if flops is not None and flops.rows else None
    is_least = model is not None and (model.utilisation_is_least or model.unknown_ps > 0)
    basis: Basis = "predicted" if is_predicted else "estimated"
    yield _ratio("model-flops", None if model is None else model.mfu_ratio, basis, at_least=is_least)
    yield _ratio("executed-flops", None if model is None else model.hfu_ratio, basis, at_least=is_least)
    yield _ratio("bandwidth", _bandwidth(table), basis)
    if peaks_bytes:
        yield SummaryFigure("memory", float(max(peaks_bytes)), "measured")


def _ratio(
    quantity: SummaryQuantity,
    value: float | None,
    basis: Basis,
    *,
    at_least: bool = False,
) -> SummaryFigure:
    if value is None:
        return SummaryFigure(quantity, None, "unknown")
    return SummaryFigure(quantity, value, basis, at_least=at_least)


def _bandwidth(table: OpTable) -> float | None:
    """Bytes that ops move in the main memory, over the wall clock of the devices and what it can move at most."""
    wall = table.scoped.wall
    if wall is None or not wall.wall_ps:
        return None
    seconds = 0.0
    if all(each.row.bytes is None for each in table.entries):
        return None
    for each in table.entries:
        peaks = table.peaks.of_device.get(each.device)
        peak = None if peaks is None else peaks.bytes_per_s.get(_MAIN)
        moved = each.row.bytes_by_space.get(_MAIN, 0)
        if peak is None and moved:
            return None
        seconds += moved / peak if peak else 0.0
    return seconds * _PS_PER_S / wall.wall_ps


def _host_idle(subject: Subject) -> float | None:
    """The share of the steps that the script's process was on no core, were it never on two at once."""
    if subject.profile.resources() is None:
        return None
    record = resources_view(subject, NoOptions())
    main = next((each for each in record.processes if each.steps_cpu_ps is not None), None)
    if main is None or main.steps_cpu_ps is None or record.span != "steps" or not record.span_ps:
        return None
    return max(0.0, 1 - main.steps_cpu_ps / record.span_ps)
