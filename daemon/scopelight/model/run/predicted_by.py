"""The run that predicted what another measured."""

from pathlib import Path

from scopelight.model.devices.table import device_model
from scopelight.model.run.earlier import runs_of_same_script
from scopelight.model.run.information import RunInformation


def prediction_of(folder: Path, measured: RunInformation) -> Path | None:
    """The newest run in a folder that predicted what was measured; None without.

    It is of the same script with the same arguments, for the same kind of device: one for as many devices rather than
    for others. Of a run that was measured on no TPU nothing was predicted.
    """
    kinds = _kinds(measured)
    if measured.predicted_for is not None or not kinds:
        return None
    found = [
        (path, run)
        for path, run in runs_of_same_script(folder, measured)
        if run.predicted_for is not None and _kinds(run) == kinds
    ]
    as_many = [each for each in found if len(each[1].devices or ()) == len(measured.devices or ())]
    return next((path for path, _ in as_many or found), None)


def _kinds(run: RunInformation) -> frozenset[str]:
    """The TPUs that a run is of, as they are known to us; none for other devices."""
    models = [device_model(kind) for kind in run.device_kinds]
    return frozenset(model.name for model in models if model is not None and model.kind == "tpu")
