"""Peak rates and capacities recorded in a device's plane."""

import math
from collections.abc import Mapping

import attrs

_GIGA = 10**9
_READ_AND_WRITTEN = ("vmem", "cmem")
"""Memories whose bandwidth is stated for reading and for writing. What is stated as that of ``sram`` is vmem's."""


@attrs.frozen(slots=True)
class StatedPeaks:
    """A device's own statement; None where it says nothing. Hashable, for it is part of a device.

    ``flops_per_s`` is one figure for all types. ``bytes_per_s`` is by memory space, reading where reading and writing
    differ. ``cores`` are those of a GPU (SMs, compute units), ``clock_hz`` their greatest clock.
    """

    name: str = ""
    """``TPU v6 Lite``, or what a GPU is sold as; empty where it is not said."""
    vendor: str = ""
    flops_per_s: float | None = None
    bytes_per_s: tuple[tuple[str, float], ...] = ()
    memory_bytes: int | None = None
    clock_hz: float | None = None
    cores: int | None = None
    compute_capability: tuple[int, int] | None = None
    """Of an NVIDIA GPU; of an AMD GPU the first two numbers of its gfx version."""

    @property
    def is_amd(self) -> bool:
        """Whether it is a GPU of AMD's."""
        return self.vendor.upper() == "AMD" or self.name.startswith("gfx")

    @property
    def is_nvidia(self) -> bool:
        """Whether it is a GPU of NVIDIA's, as are those of profiles written before the maker was stated."""
        return not self.is_amd and self.vendor.upper() in ("", "NVIDIA", "NVIDIA CORPORATION")


def stated_peaks(stats: Mapping[str, object]) -> StatedPeaks | None:
    """What the stats of a device's plane state; None where they state nothing. 0 is how a device says nothing."""
    main = _times(stats.get("peak_hbm_bw_gigabytes_per_second"), _GIGA) or _times(stats.get("memory_bandwidth"), 1)
    spaces = {"main": main}
    for space in _READ_AND_WRITTEN:
        spaces[space] = _times(stats.get(f"peak_{space}_rd_bw_gigabytes_per_second"), _GIGA)
    memory = _times(stats.get("memory_size"), 1)
    cores = _times(stats.get("core_count"), 1)
    major, minor = stats.get("compute_cap_major"), stats.get("compute_cap_minor")
    stated = StatedPeaks(
        name=text_of(stats.get("device_type_string")) or text_of(stats.get("gpu_device_name")),
        vendor=text_of(stats.get("device_vendor")),
        flops_per_s=_times(stats.get("peak_teraflops_per_second"), 10**12),
        bytes_per_s=tuple((space, rate) for space, rate in spaces.items() if rate is not None),
        memory_bytes=None if memory is None else int(memory),
        clock_hz=_times(stats.get("clock_rate"), 1000),
        cores=None if cores is None else int(cores),
        compute_capability=(major, minor) if isinstance(major, int) and isinstance(minor, int) else None,
    )
    return None if stated == StatedPeaks() else stated


def _times(value: object, unit: int) -> float | None:
    """A positive, finite number in another unit; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    product = float(value) * unit
    return product if math.isfinite(product) and product > 0 else None


def text_of(value: object) -> str:
    """A stat's text; empty where it is none."""
    return value if isinstance(value, str) else ""
