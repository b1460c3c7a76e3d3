"""Which matrix unit the products of a profile are held against: the one place that decides it for every view."""

from collections.abc import Iterable, Iterator

from scopelight.analysis.padding.records import MatrixUnitRecord
from scopelight.findings import Action, Finding, warning
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.devices.peaks import device_model_of
from scopelight.model.executions import Device
from scopelight.model.run.information import RunInformation

SMALLEST_MATRIX_UNIT = (128, 128)
"""Of the TPUs so far; what fills no larger one fills none of these better."""


def matrix_unit_of_devices(
    devices: Iterable[Device], capture: RunInformation | None, target: DeviceModel | None, *, is_tiled: bool
) -> MatrixUnitRecord | None:
    """The matrix unit of the device that ran, where the profile names it.

    Others are held against that of the chosen ``target``, as a prediction. Without one, programs whose layouts are
    tiled (``is_tiled``), which are a TPU's even where nothing names it, are held against the smallest unit that any
    TPU has; those of other devices against none.
    """
    named = (device_model_of(device, capture) for device in devices)
    for model in named:
        if model is not None and model.matrix_unit is not None:
            return MatrixUnitRecord(*model.matrix_unit, model.name, "measured")
    predicted = matrix_unit_of_target(target)
    if predicted is not None or not is_tiled:
        return predicted
    return MatrixUnitRecord(*SMALLEST_MATRIX_UNIT, None, "estimated")


def matrix_unit_of_target(target: DeviceModel | None) -> MatrixUnitRecord | None:
    """That of the chosen target; None where it has none."""
    if target is None or target.matrix_unit is None:
        return None
    return MatrixUnitRecord(*target.matrix_unit, target.name, "predicted")


def assumption(unit: MatrixUnitRecord | None) -> Iterator[Finding]:
    """What the matrix unit is, where it was assumed."""
    if unit is not None and unit.basis == "estimated":
        yield warning("matrix-unit-assumed", Action("set-target"), rows=unit.rows, columns=unit.columns)
