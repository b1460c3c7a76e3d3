"""What the devices of a profile are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scopelight.model.executions import Device
    from scopelight.model.run.information import RunInformation


def full_name(device: Device, capture: RunInformation | None = None) -> str:
    """``TPU v6e``, as the table calls the device, else as it calls itself; ``GPU`` where neither says which it is."""
    if device.kind == "cpu":
        return "CPU"
    # The tables of devices take as long to make as a small profile's lines.
    from scopelight.model.devices.gpu_bandwidth import model_by_size  # noqa: PLC0415
    from scopelight.model.devices.table import device_model  # noqa: PLC0415

    name = name_of(device, capture)
    model = device_model(name) or (model_by_size(device.stated) if device.stated is not None else None)
    core = " SparseCore" if "SparseCore" in device.name else ""
    return f"{model.name if model is not None else name or device.kind.upper()}{core}"


def name_of(device: Device, capture: RunInformation | None) -> str:
    """What the device is called, by its plane or else by jax; empty where neither says it."""
    name = device.stated.name if device.stated is not None else ""
    return name or (capture.device_kinds[0] if capture is not None and len(capture.device_kinds) == 1 else "")
