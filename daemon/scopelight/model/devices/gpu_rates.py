"""Peak FLOPs per cycle of a GPU core (SM or compute unit), looked up by compute capability or gfx version."""

from collections.abc import Mapping

import attrs

from scopelight.model.stated_peaks import StatedPeaks


@attrs.frozen(slots=True)
class CoreRates:
    """FLOPs per core and cycle by element type: dense, a multiply-add is two, matrix units where they do the type."""

    generation: str
    flops_per_cycle: Mapping[str, int]
    source: str


_NVIDIA = "NVIDIA's architecture white papers and the CUDA C++ Programming Guide, “Arithmetic Instructions”"
_TF32 = f"{_NVIDIA}; f32 as TF32, which XLA takes for products of f32"
_GEFORCE = f"{_TF32}; GeForce boards have half of the rate where tensor cores accumulate in f32, as XLA asks for"

_NVIDIA_RATES: Mapping[tuple[int, int], tuple[Mapping[str, int], str]] = {
    (6, 0): ({"f64": 64, "f32": 128, "f16": 256}, _NVIDIA),
    (6, 1): ({"f64": 8, "f32": 256, "s8": 1024}, _NVIDIA),
    (7, 0): ({"f64": 64, "f32": 128, "f16": 1024, "s8": 512}, _NVIDIA),
    (7, 5): ({"f64": 4, "f32": 128, "f16": 1024, "s8": 2048, "s4": 4096}, _NVIDIA),
    (8, 0): ({"f64": 128, "f32": 1024, "bf16": 2048, "f16": 2048, "s8": 4096}, _TF32),
    (8, 6): ({"f64": 4, "f32": 512, "bf16": 1024, "f16": 1024, "s8": 2048}, _TF32),
    (8, 9): ({"f64": 4, "f32": 512, "bf16": 1024, "f16": 1024, "f8": 2048, "s8": 2048}, _TF32),
    (9, 0): ({"f64": 256, "f32": 2048, "bf16": 4096, "f16": 4096, "f8": 8192, "s8": 8192}, _TF32),
    (10, 0): ({"f64": 128, "f32": 4096, "bf16": 8192, "f16": 8192, "f8": 16384, "s8": 16384, "f4": 32768}, _TF32),
    (10, 3): ({"f32": 4096, "bf16": 8192, "f16": 8192, "f8": 16384}, _TF32),
    (12, 0): ({"f64": 4, "f32": 512, "bf16": 1024, "f16": 1024, "f8": 2048, "s8": 2048, "f4": 4096}, _TF32),
}
"""By compute capability. Of 10.3 (B300) the units of f64 and s8 were cut down, to what rate no white paper says."""

_GEFORCE_RATES: Mapping[tuple[int, int], Mapping[str, int]] = {
    (7, 5): {"f16": 512},
    (8, 6): {"f32": 256, "bf16": 512, "f16": 512},
    (8, 9): {"f32": 256, "bf16": 512, "f16": 512, "f8": 1024},
    (12, 0): {"f32": 256, "bf16": 512, "f16": 512, "f8": 1024},
}
"""By compute capability what a GeForce board has instead."""

_AMD_DOCUMENTATION = "AMD ROCm documentation, “GPU architecture”, matrix units"
_AMD_PAPER = "AMD CDNA 4 architecture white paper, table 1, matrix units"
_AMD_RATES: Mapping[str, tuple[Mapping[str, int], str]] = {
    "gfx908": ({"f64": 64, "f32": 256, "bf16": 512, "f16": 1024, "s8": 1024}, _AMD_DOCUMENTATION),
    "gfx90a": ({"f64": 256, "f32": 256, "bf16": 1024, "f16": 1024, "s8": 1024}, _AMD_DOCUMENTATION),
    "gfx942": ({"f64": 256, "f32": 256, "bf16": 2048, "f16": 2048, "f8": 4096, "s8": 4096}, _AMD_DOCUMENTATION),
    "gfx950": ({"f64": 128, "f32": 256, "bf16": 4096, "f16": 4096, "f8": 8192, "s8": 8192, "f4": 16384}, _AMD_PAPER),
}
_MI100_CORES = 120
"""Compute units of an MI100 (gfx908); those of the MI200 series (gfx90a), of the same capability 9.0, have fewer."""


def core_rates(stated: StatedPeaks, name: str = "") -> CoreRates | None:
    """The rates of a GPU's generation; None where it is not known.

    Of NVIDIA's, the nearest older one of the same major capability. Profiles written before the vendor was stated are
    of NVIDIA GPUs. ``name`` is what it is sold as, where something else than the profile says so.
    """
    if stated.is_amd:
        version = gfx_version(stated)
        return CoreRates(version, *_AMD_RATES[version]) if version in _AMD_RATES else None
    if not stated.is_nvidia or stated.compute_capability is None:
        return None
    major, minor = stated.compute_capability
    nearest = max((each for each in _NVIDIA_RATES if each[0] == major and each[1] <= minor), default=None)
    if nearest is None:
        return None
    rates, source = _NVIDIA_RATES[nearest]
    generation = f"compute capability {nearest[0]}.{nearest[1]}"
    if "GEFORCE" in f"{stated.name} {name}".upper() and nearest in _GEFORCE_RATES:
        return CoreRates(f"GeForce boards of {generation}", {**rates, **_GEFORCE_RATES[nearest]}, _GEFORCE)
    return CoreRates(generation, rates, source)


def gfx_version(stated: StatedPeaks) -> str:
    """``gfx942`` by name, else by the first two numbers of the version, of which the third is not stated."""
    name = stated.name.partition(":")[0]
    if name.startswith("gfx"):
        return name
    match stated.compute_capability:
        case (9, 0):
            return "gfx908" if stated.cores == _MI100_CORES else "gfx90a"
        case (9, 4):
            return "gfx942"
        case (9, 5):
            return "gfx950"
    return ""
