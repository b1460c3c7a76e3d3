"""Peaks: what the devices of a profile can do at most, and the source of each figure.

First what the profile states of a device, then the table of devices, for a CPU what was measured of the machine; the
user's own figures take the place of all. A CPU is never looked up in a table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import attrs

from scopelight.findings import Action, Finding, note, warning
from scopelight.legible import Legible
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.devices.gpu_bandwidth import gpu_bandwidth
from scopelight.model.devices.gpu_rates import core_rates
from scopelight.model.devices.names import full_name, name_of
from scopelight.model.devices.table import device_model
from scopelight.model.executions import Device
from scopelight.model.profile import Profile
from scopelight.model.run.calibration import Calibration
from scopelight.model.stated_peaks import StatedPeaks

if TYPE_CHECKING:
    from scopelight.model.run.information import RunInformation
from scopelight.model.run.measuring import present_measuring

Basis = Literal["stated", "corrected", "table", "calibrated", "setting"]
"""The source: the profile, the profile but for a figure that it is known to state wrong, a table, a measurement on the
machine, or the user."""

_ALIKE = {"u8": "s8", "u4": "s4", "c64": "f32", "c128": "f64"}
SET_PEAKS = Action("set-peaks")
"""To say what the device can do at most."""


@attrs.frozen(slots=True, repr=False)
class OwnPeaks(Legible):
    """The user's own peaks of one device, which take the place of all others. None where the user gives none."""

    flops_per_s: Mapping[str, float] | None = None
    """By element type; a type that is not named keeps the peak that it has without."""
    bytes_per_s: float | None = None
    """Of main memory."""


@attrs.frozen(slots=True, repr=False)
class Peaks(Legible):
    """What one device of a profile can do at most: ``flops_per_s`` by element type, ``bytes_per_s`` by memory space.

    ``sources`` say where the figures come from, ``basis`` in a word; ``warning`` why the device may do more.
    """

    device: str
    kind: str
    flops_per_s: Mapping[str, float]
    bytes_per_s: Mapping[str, float]
    memory_bytes: int | None
    basis: Basis
    sources: tuple[Finding, ...]
    warning: Finding | None = None
    from_table: tuple[str, ...] = ()
    """Element types and memory spaces whose figures are the table's, where ``basis`` says that others are not."""
    corrected: tuple[str, ...] = ()
    """Memory spaces whose figures the profile states wrong, and a table says otherwise; ``sources`` say why."""
    model: str = ""
    """What the device is called in full (``TPU v6e``), ``GPU`` where nothing says it."""
    cache_bytes_per_s: float | None = None
    """What was measured of the caches of a CPU: faster than main memory, and no limit of any op."""

    def flops_per_s_of(self, element_type: str) -> float | None:
        """The peak of an element type (``bf16``, ``f8e4m3fn``, ``u8``); None where it is not known."""
        return peak_of_type(self.flops_per_s, element_type)


def peak_of_type(flops_per_s: Mapping[str, float], element_type: str) -> float | None:
    """The peak of an element type among those that are known.

    Unsigned counts as signed, any 8-bit float as ``f8``, any 4-bit one as ``f4``, complex as its parts.
    """
    if element_type in flops_per_s:
        return flops_per_s[element_type]
    short = element_type[:2]
    return flops_per_s.get(short if short in ("f8", "f4") else _ALIKE.get(element_type, ""))


def find_peaks(profile: Profile, own: OwnPeaks | None = None) -> tuple[Sequence[Peaks], Finding | None]:
    """The peaks of each device of the profile that has any.

    Also why FLOP rates have no peak to be held against; None where they have one.
    """
    devices = profile.executions.devices
    if not devices:
        return (), _unknown("nothing-ran", None)
    sharing = {
        host: sum(device.kind == "cpu" and device.host == host for device in devices) for host in _hosts(devices)
    }
    found = [_with_own(device, _peaks_of(device, profile.capture, sharing[device.host]), own) for device in devices]
    peaks = [
        attrs.evolve(each, model=full_name(device, profile.capture))
        for device, each in zip(devices, found, strict=True)
        if each is not None
    ]
    if any(each.flops_per_s for each in peaks):
        return peaks, None
    return peaks, _why_none(devices[0], profile.capture)


def device_model_of(device: Device, capture: RunInformation | None = None) -> DeviceModel | None:
    """The table's entry for a device, looked up by its recorded name, else by jax's device kind if there is only one.

    None where neither says it, or the name is not known. A SparseCore is another device than the TensorCores beside it,
    which the table is of.
    """
    if device.kind == "cpu" or "SparseCore" in device.name:
        return None
    return device_model(name_of(device, capture))


def _hosts(devices: Sequence[Device]) -> set[int]:
    return {device.host for device in devices}


def _peaks_of(device: Device, capture: RunInformation | None, sharing: int) -> Peaks | None:
    if device.kind == "cpu":
        return _calibrated(device, capture, sharing)
    model = device_model_of(device, capture)
    stated = device.stated
    if stated is not None and device.kind == "tpu" and stated.flops_per_s is not None:
        return _stated_by_tpu(device, stated, stated.flops_per_s, model)
    if (
        stated is not None
        and device.kind == "gpu"
        and (found := _stated_by_gpu(device, stated, model, name_of(device, capture)))
    ):
        return found
    if model is None:
        return None
    return Peaks(
        device.name,
        device.kind,
        model.flops_per_s,
        model.bytes_per_s,
        model.memory_bytes,
        "table",
        (note("peaks-from-table", model=model.name, source=model.source),),
    )


def _stated_by_tpu(device: Device, stated: StatedPeaks, flops_per_s: float, model: DeviceModel | None) -> Peaks:
    """A TPU states one rate, that of bf16; the table gives the ratios of the other types to it."""
    rates: Mapping[str, float] = {"bf16": flops_per_s}
    sources = [note("rate-stated", rate_flops_per_s=flops_per_s)]
    from_table: tuple[str, ...] = ()
    spaces = dict(stated.bytes_per_s)
    if model is not None:
        scale = flops_per_s / model.flops_per_s["bf16"]
        rates = {name: rate * scale for name, rate in model.flops_per_s.items()}
        from_table = tuple(name for name in rates if name != "bf16")
        sources.append(note("rates-in-proportion", element_types=from_table, model=model.name, source=model.source))
        from_table += tuple(name for name in model.bytes_per_s if name not in spaces)
        spaces = {**model.bytes_per_s, **spaces}
    return Peaks(
        device.name,
        device.kind,
        rates,
        spaces,
        stated.memory_bytes or (model.memory_bytes if model is not None else None),
        "stated",
        tuple(sources),
        from_table=from_table,
    )


def _stated_by_gpu(device: Device, stated: StatedPeaks, model: DeviceModel | None, name: str) -> Peaks | None:
    """A GPU states cores and clock; FLOPs per core and cycle are known of its generation."""
    rates = core_rates(stated, name)
    bandwidth = gpu_bandwidth(stated, model)
    has_rates = rates is not None and stated.cores is not None and stated.clock_hz is not None
    if not has_rates and (model is not None or not bandwidth.bytes_per_s):
        return None
    flops_per_s: Mapping[str, float] = {}
    sources = bandwidth.sources
    if rates is not None and stated.cores is not None and stated.clock_hz is not None:
        cycles_per_s = stated.cores * stated.clock_hz
        flops_per_s = {name: flops * cycles_per_s for name, flops in rates.flops_per_cycle.items()}
        cores = note(
            "cores-stated",
            cores=stated.cores,
            clock_hz=stated.clock_hz,
            generation=rates.generation,
            source=rates.source,
        )
        sources = (cores, *sources)
    return Peaks(
        device.name,
        device.kind,
        flops_per_s,
        bandwidth.bytes_per_s,
        stated.memory_bytes,
        "corrected" if bandwidth.corrected else "stated",
        sources,
        from_table=bandwidth.from_table,
        corrected=bandwidth.corrected,
    )


def _calibrated(device: Device, capture: RunInformation | None, sharing: int) -> Peaks | None:
    calibration = capture.calibration if capture is not None else None
    if calibration is None:
        return None
    sources = [
        note("peaks-measured", machine=calibration.machine or None, cores=calibration.cores, jax=calibration.jax)
    ]
    if sharing > 1:
        sources.append(note("cores-shared", devices=sharing))
    return Peaks(
        device.name,
        device.kind,
        {name: rate / sharing for name, rate in calibration.flops_per_s.items()},
        {} if calibration.bytes_per_s is None else {"main": calibration.bytes_per_s / sharing},
        calibration.memory_bytes,
        "calibrated",
        tuple(sources),
        _disturbance(calibration),
        cache_bytes_per_s=None if calibration.cache_bytes_per_s is None else calibration.cache_bytes_per_s / sharing,
    )


def _disturbance(calibration: Calibration) -> Finding | None:
    if not calibration.is_disturbed or calibration.others_ratio is None:
        return None
    return warning("peaks-measured-while-busy", others_ratio=calibration.others_ratio)


def _with_own(device: Device, found: Peaks | None, own: OwnPeaks | None) -> Peaks | None:
    if own is None or (not own.flops_per_s and own.bytes_per_s is None):
        return found
    set_by_user = note(
        "peaks-from-settings", element_types=tuple(own.flops_per_s or ()), bandwidth=own.bytes_per_s is not None
    )
    before = found or Peaks(device.name, device.kind, {}, {}, None, "setting", ())
    return attrs.evolve(
        before,
        flops_per_s={**before.flops_per_s, **(own.flops_per_s or {})},
        bytes_per_s={**before.bytes_per_s, **({} if own.bytes_per_s is None else {"main": own.bytes_per_s})},
        basis="setting",
        sources=(set_by_user, *before.sources),
        warning=None if own.flops_per_s and own.bytes_per_s is not None else before.warning,
        from_table=(),
        corrected=() if own.bytes_per_s is not None else before.corrected,
    )


def _why_none(device: Device, capture: RunInformation | None) -> Finding:
    if device.kind != "cpu":
        return _unknown("unknown-device", device.name)
    return _unknown("not-measured" if capture is None else present_measuring(capture), None)


def _unknown(why: str, device: str | None) -> Finding:
    """That no utilisation is known, for want of a peak; where one will be known soon there is nothing to do."""
    return warning("utilisation-unknown", SET_PEAKS if why in _FOR_GOOD else None, why=why, device=device)


_FOR_GOOD = ("unknown-device", "not-to-be-measured", "not-measured")
