"""Devices by name: what each can do at most, the size of its matrix unit, and where the figures come from."""

from collections.abc import Mapping, Sequence

from scopelight.model.devices.amd_gpus import AMD_GPUS
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.devices.nvidia_gpus import NVIDIA_GPUS
from scopelight.model.devices.tpus import TPUS


def _by_name(models: Sequence[DeviceModel]) -> Mapping[str, DeviceModel]:
    return {_plain(name): model for model in models for name in (model.name, *model.aliases)}


def _plain(name: str) -> str:
    return "".join(name.lower().split())


_MODELS = (*TPUS, *NVIDIA_GPUS, *AMD_GPUS)
_NAMED = _by_name(_MODELS)


def device_models() -> Sequence[DeviceModel]:
    """Every device that is known by name, TPUs first, oldest first."""
    return _MODELS


def device_model(name: str) -> DeviceModel | None:
    """The device of a name or alias (``TPU v5e``, ``TPU v5 lite``, ``v5e``), in any case; None where unknown."""
    return _NAMED.get(_plain(name))
