"""TPUs, oldest first, and the source of each figure."""

from collections.abc import Mapping

from scopelight.model.devices.device_model import GIBIBYTE, DeviceModel
from scopelight.program.hlo.tiling import TileRules

_GOOGLE = "Google Cloud TPU documentation, cloud.google.com/tpu/docs/"
_JAX = "jax 0.10.2, jax/_src/pallas/mosaic/tpu_info.py"
_OF_PROGRAMS: Mapping[str, float] = {
    "TPU v2": 7.48,
    "TPU v3": 15.48,
    "TPU v4": 30.75,
    "TPU v5e": 15.75,
    "TPU v5p": 95.73,
    "TPU v6e": 31.24,
    "TPU 7x": 94.74,
}
"""GiB that libtpu 0.0.51 says are available, to programs that need more (`tests/python/tpu/test_fit.py`)."""
_SENT_GIGABYTES_PER_S: Mapping[str, float] = {
    "TPU v2": 124.0,
    "TPU v3": 164.0,
    "TPU v4": 300.0,
    "TPU v5e": 200.0,
    "TPU v5p": 600.0,
    "TPU v6e": 400.0,
    "TPU 7x": 300.0,
}
"""What a device sends over all links of the interconnect (ICI) at once. v5e, v5p, v6e, 7x: half of the bidirectional
bandwidth of a chip in Google's documentation (400, 1200, 800, 1200 GB/s), of which 7x's two devices have half each. v4:
six links of 50 GB/s (Jouppi et al., TPU v4, ISCA 2023). v2 and v3: half of a chip's four links of 496 and 656 Gbit/s
(Jouppi et al., A Domain-Specific Supercomputer for Training Deep Neural Networks, CACM 2020)."""
_F32 = "f32 has the rate of bf16, for products of f32 are made of bf16 passes, by default one"


def _tpu(
    name: str,
    tera_flops: Mapping[str, float],
    gigabytes_per_s: float,
    gibibytes: float,
    source: str,
    *,
    aliases: tuple[str, ...],
    matrix_unit: int = 128,
    clock_gigahertz: float,
) -> DeviceModel:
    # jax.lax.Precision.DEFAULT: "on TPU: bfloat16", one pass of the matrix unit.
    rates = {"bf16": tera_flops["bf16"], "f32": tera_flops["bf16"], **tera_flops}
    return DeviceModel(
        name,
        "tpu",
        {element_type: rate * 1e12 for element_type, rate in rates.items()},
        {"main": gigabytes_per_s * 1e9},
        int(gibibytes * GIBIBYTE),
        (matrix_unit, matrix_unit),
        f"{source}; {_F32}",
        aliases,
        TileRules(),
        clock_hz=clock_gigahertz * 1e9,
        link_bytes_per_s=_SENT_GIGABYTES_PER_S[name] * 1e9,
        program_bytes=round(_OF_PROGRAMS[name] * GIBIBYTE),
    )


TPUS = (
    _tpu(
        "TPU v2",
        {"bf16": 23.0},
        358.0,
        8,
        f"{_JAX}; a device is one of a chip's two cores, with half of its 46 TFLOP/s, 716 GB/s and 16 GB",
        clock_gigahertz=0.7,
        aliases=("v2",),
    ),
    _tpu(
        "TPU v3",
        {"bf16": 61.5},
        450.0,
        16,
        f"{_GOOGLE}v3; a device is one of a chip's two cores, with half of its 123 TFLOP/s, 900 GB/s and 32 GiB",
        clock_gigahertz=0.94,
        aliases=("v3",),
    ),
    _tpu(
        "TPU v4",
        {"bf16": 275.0, "s8": 275.0},
        1200.0,
        32,
        f"{_GOOGLE}v4; a device is a chip, whose two cores work as one (megacore)",
        clock_gigahertz=1.05,
        aliases=("v4",),
    ),
    _tpu(
        "TPU v5e",
        {"bf16": 197.0, "s8": 393.0, "s4": 788.0},
        819.0,
        16,
        f"{_GOOGLE}v5e; s4 from {_JAX}",
        clock_gigahertz=1.5,
        aliases=("v5e", "TPU v5 lite", "TPU v5 litepod"),
    ),
    _tpu(
        "TPU v5p",
        {"bf16": 459.0, "s8": 918.0, "s4": 1840.0},
        2765.0,
        95,
        f"{_GOOGLE}v5p; s8 and s4 from {_JAX}; a device is a chip, whose two cores work as one (megacore)",
        clock_gigahertz=1.75,
        aliases=("v5p", "TPU v5"),
    ),
    _tpu(
        "TPU v6e",
        {"bf16": 918.0, "s8": 1836.0, "f8": 918.0, "s4": 3680.0},
        1640.0,
        32,
        f"{_GOOGLE}v6e; f8 and s4 from {_JAX}",
        clock_gigahertz=1.75,
        aliases=("v6e", "TPU v6 lite", "Trillium"),
        matrix_unit=256,
    ),
    _tpu(
        "TPU 7x",
        {"bf16": 1153.5, "f8": 2307.0},
        3690.0,
        96,
        f"{_GOOGLE}tpu7x; a device is one of a chip's two cores, with half of its 2307 TFLOP/s of bf16, 4614 of f8,"
        " 7380 GB/s and 192 GiB",
        clock_gigahertz=2.2,
        aliases=("7x", "v7x", "TPU v7x", "TPU 7", "Ironwood"),
        matrix_unit=256,
    ),
)
