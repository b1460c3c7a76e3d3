"""The bandwidth of a GPU's memory: as its plane states it, or corrected where it is known to state half of it."""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.findings import Finding, note
from scopelight.model.devices.device_model import DeviceModel
from scopelight.model.devices.gpu_rates import gfx_version
from scopelight.model.devices.table import device_models
from scopelight.model.stated_peaks import StatedPeaks

_ROUNDING = 0.03
"""Data sheets round their figures: 8 TB/s is 8,192 bits at 8 Gbit/s."""
_MAIN = "main"


@attrs.frozen(slots=True)
class GpuBandwidth:
    """Bandwidths by memory space, where they come from, and which are neither stated nor as they were stated."""

    bytes_per_s: Mapping[str, float]
    sources: tuple[Finding, ...]
    corrected: tuple[str, ...] = ()
    """Memory spaces of which another figure is stated, that is known to be wrong."""
    from_table: tuple[str, ...] = ()


def gpu_bandwidth(stated: StatedPeaks, model: DeviceModel | None) -> GpuBandwidth:
    """The bandwidths of a GPU that is the ``model``, where its name says which it is.

    XLA takes the bandwidth as two transfers per cycle of the memory's clock; the clock that AMD's driver gives of HBM3
    and HBM3E has four, and the profile then states half of the data sheet's figure: a recorded MI300X that states 2.66
    TB/s moves 3.6 TB/s, an MI355X that states 4.10 TB/s moves 6.8 TB/s.
    """
    alike = (model,) if model is not None else _of_generation(stated)
    spaces = dict(stated.bytes_per_s)
    main = spaces.get(_MAIN)
    if main is None:
        named = model or _by_size(stated, alike)
        if named is None:
            return GpuBandwidth(spaces, ())
        sources = (note("bandwidth-from-table", model=named.name, source=named.source),)
        return GpuBandwidth({**spaces, **named.bytes_per_s}, sources, from_table=tuple(named.bytes_per_s))
    halved = [each for each in alike if abs(2 * main / each.bytes_per_s[_MAIN] - 1) < _ROUNDING]
    if not stated.is_amd or not halved:
        return GpuBandwidth(spaces, (note("bandwidth-stated"),))
    named = model or _by_size(stated, halved) or halved[0]
    table = named.bytes_per_s[_MAIN]
    corrected = note(
        "bandwidth-half-stated",
        stated_bytes_per_s=main,
        table_bytes_per_s=table,
        model=named.name,
        source=named.source,
    )
    return GpuBandwidth({**spaces, _MAIN: table}, (corrected,), corrected=(_MAIN,))


def model_by_size(stated: StatedPeaks) -> DeviceModel | None:
    """The GPU of AMD's that does not say its name, by its generation, cores, memory and clock; None for any other."""
    return _by_size(stated, _of_generation(stated))


def _of_generation(stated: StatedPeaks) -> Sequence[DeviceModel]:
    """The devices of the table that a GPU which does not say its name may be."""
    version = gfx_version(stated) if stated.is_amd else ""
    return tuple(each for each in device_models() if version and each.generation == version)


def _by_size(stated: StatedPeaks, models: Sequence[DeviceModel]) -> DeviceModel | None:
    """The one of ``models`` that has as many cores and as much memory, and the nearest clock."""
    same = [
        each
        for each in models
        if each.cores == stated.cores
        and each.memory_bytes is not None
        and stated.memory_bytes is not None
        and abs(stated.memory_bytes / each.memory_bytes - 1) < _ROUNDING
    ]
    clock_hz = stated.clock_hz or 0.0
    return min(same, key=lambda each: abs((each.clock_hz or 0.0) - clock_hz), default=None)
