"""``--target``: the TPU that is taken where the profile does not say it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from scopelight.model.devices.table import DeviceModel

target_option: Callable[[Callable[..., None]], Callable[..., None]] = click.option(
    "--target",
    "target_name",
    help='The TPU to hold padding against where nothing says it, as "TPU v5e".',
)


def chosen_target(name: str | None) -> "DeviceModel | None":
    """The device of the option; None without one. Raises `click.BadParameter` where it is not known."""
    from scopelight.model.devices.table import device_model, device_models  # noqa: PLC0415

    target = device_model(name) if name else None
    if name and target is None:
        known = ", ".join(each.name for each in device_models() if each.tile_rules is not None)
        raise click.BadParameter(f"{name!r} is not known; those with tiles are {known}.", param_hint="--target")
    return target
