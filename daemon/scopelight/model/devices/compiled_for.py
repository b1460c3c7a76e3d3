"""The device that programs are for where none is recorded: told by the layouts of their arrays."""

from collections.abc import Iterable

from scopelight.model.executions import Device
from scopelight.model.profile import Profile
from scopelight.program.hlo.nouns import HloModule


def compiled_for(modules: Iterable[HloModule]) -> Device:
    """A TPU where layouts have tiles, which only its compiler makes; else taken for a CPU."""
    is_tiled = any(
        each.shape.layout is not None and each.shape.layout.tiles for module in modules for each in module.instructions
    )
    return Device("", "tpu" if is_tiled else "cpu")


def main_device(profile: Profile) -> Device:
    """The first device that ran the programs of a profile; where nothing ran, what they were compiled for."""
    return next(iter(profile.executions.devices), None) or compiled_for(profile.modules)
