"""Settings that mean nothing: left out, each with a sentence for the person who wrote it."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from scopelight.formats.hlo.primitive_types import NUMBER_TYPES
from scopelight.protocol.settings import Settings
from scopelight.report.language import text

_TYPES_NAMED = ("bf16", "f32", "f16", "f64", "s8", "f8")
"""Those that most devices have a peak of."""
_FAMILIES = frozenset(("f8",))
"""Names that stand for several element types."""


def meaningful(settings: Settings) -> tuple[Settings, tuple[str, ...]]:
    """The settings without what means nothing, and a sentence for each setting that lost something."""
    sentences = [*_about_flops(settings.peak_flops_per_s or {})]
    flops_per_s = settings.peak_flops_per_s
    if flops_per_s is not None:
        flops_per_s = {name: rate for name, rate in flops_per_s.items() if _is_type(name) and rate > 0} or None
    bytes_per_s = settings.peak_bytes_per_s
    if bytes_per_s is not None and bytes_per_s <= 0:
        sentences.append(text("The setting scopelight.peakBandwidth is left out: it must be a positive number."))
        bytes_per_s = None
    target = settings.target
    if target and not _is_device(target):
        sentences.append(
            text(
                "The setting scopelight.target is left out: “{target}” is not known. Those with tiles are {devices}.",
                target=target,
                devices=_devices(),
            )
        )
        target = None
    folders = settings.source_folders
    if folders is not None:
        sentences.extend(_about_folders(folders))
        folders = {recorded: here for recorded, here in folders.items() if Path(here).is_absolute()} or None
    kept = attrs.evolve(
        settings, source_folders=folders, peak_flops_per_s=flops_per_s, peak_bytes_per_s=bytes_per_s, target=target
    )
    return kept, tuple(sentences)


def _about_flops(flops_per_s: Mapping[str, float]) -> Iterator[str]:
    unknown = [name for name in flops_per_s if not _is_type(name)]
    if unknown:
        yield text(
            "Of the setting scopelight.peakFlops {names} is no element type and left out: types are called {types}"
            " and so on."
            if len(unknown) == 1
            else "Of the setting scopelight.peakFlops {names} are no element types and left out: types are called"
            " {types} and so on.",
            names=_quoted(unknown),
            types=", ".join(_TYPES_NAMED),
        )
    without = [name for name, rate in flops_per_s.items() if _is_type(name) and rate <= 0]
    if without:
        yield text(
            "Of the setting scopelight.peakFlops {names} is left out: a peak must be a positive number.",
            names=_quoted(without),
        )


def _about_folders(folders: Mapping[str, str]) -> Iterator[str]:
    without = [here for here in folders.values() if not Path(here).is_absolute()]
    if without:
        yield text(
            "Of the setting scopelight.sourceFolders {names} is left out: a folder here is given by its whole path.",
            names=_quoted(without),
        )


def _quoted(names: list[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)


def _is_type(name: str) -> bool:
    return name in NUMBER_TYPES or name in _FAMILIES


def _is_device(name: str) -> bool:
    from scopelight.model.devices.table import device_model  # noqa: PLC0415 (the server starts without it)

    return device_model(name) is not None


def _devices() -> str:
    from scopelight.model.devices.table import device_models  # noqa: PLC0415

    return ", ".join(each.name for each in device_models() if each.tile_rules is not None)
