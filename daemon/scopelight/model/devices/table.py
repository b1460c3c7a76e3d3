"""Devices by name: what each can do at most, the size of its matrix unit, and where the figures come from."""

from collections.abc import Mapping, Sequence

import attrs

from scopelight.program.hlo.tiling import TileRules

GIBIBYTE = 2**30


@attrs.frozen(slots=True)
class DeviceModel:
    """A kind of device, as jax sees one: a chip where its cores work as one, else a core.

    ``flops_per_s`` is by element type: dense, with matrix units where the device has them for the type; a type that no
    source states is absent. ``bytes_per_s`` is by memory space (``main`` is HBM or GDDR). ``matrix_unit`` is the rows
    and columns that the matrix unit multiplies at once, None for a GPU, whose units are small enough for any size.
    """

    name: str
    kind: str
    """``tpu`` or ``gpu``."""
    flops_per_s: Mapping[str, float]
    bytes_per_s: Mapping[str, float]
    memory_bytes: int | None
    matrix_unit: tuple[int, int] | None
    source: str
    """Where the figures come from, and what one device is where that is not plain."""
    aliases: tuple[str, ...] = ()
    """Other names: what jax calls the device, and short ones."""
    tile_rules: TileRules | None = None
    """How the device tiles arrays; None where it does not."""


_GOOGLE = "Google Cloud TPU documentation, cloud.google.com/tpu/docs/"
_JAX = "jax 0.10.2, jax/_src/pallas/mosaic/tpu_info.py"
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
    )


_TPUS = (
    _tpu(
        "TPU v2",
        {"bf16": 23.0},
        358.0,
        8,
        f"{_JAX}; a device is one of a chip's two cores, with half of its 46 TFLOP/s, 716 GB/s and 16 GB",
        aliases=("v2",),
    ),
    _tpu(
        "TPU v3",
        {"bf16": 61.5},
        450.0,
        16,
        f"{_GOOGLE}v3; a device is one of a chip's two cores, with half of its 123 TFLOP/s, 900 GB/s and 32 GiB",
        aliases=("v3",),
    ),
    _tpu(
        "TPU v4",
        {"bf16": 275.0, "s8": 275.0},
        1200.0,
        32,
        f"{_GOOGLE}v4; a device is a chip, whose two cores work as one (megacore)",
        aliases=("v4",),
    ),
    _tpu(
        "TPU v5e",
        {"bf16": 197.0, "s8": 393.0, "s4": 788.0},
        819.0,
        16,
        f"{_GOOGLE}v5e; s4 from {_JAX}",
        aliases=("v5e", "TPU v5 lite", "TPU v5 litepod"),
    ),
    _tpu(
        "TPU v5p",
        {"bf16": 459.0, "s8": 918.0, "s4": 1840.0},
        2765.0,
        95,
        f"{_GOOGLE}v5p; s8 and s4 from {_JAX}; a device is a chip, whose two cores work as one (megacore)",
        aliases=("v5p", "TPU v5"),
    ),
    _tpu(
        "TPU v6e",
        {"bf16": 918.0, "s8": 1836.0, "f8": 918.0, "s4": 3680.0},
        1640.0,
        32,
        f"{_GOOGLE}v6e; f8 and s4 from {_JAX}",
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
        aliases=("7x", "v7x", "TPU v7x", "TPU 7", "Ironwood"),
        matrix_unit=256,
    ),
)


def _gpu(
    name: str,
    tera_flops: Mapping[str, float],
    gigabytes_per_s: float,
    gibibytes: float,
    source: str,
    aliases: tuple[str, ...] = (),
) -> DeviceModel:
    return DeviceModel(
        name,
        "gpu",
        {element_type: rate * 1e12 for element_type, rate in tera_flops.items()},
        {"main": gigabytes_per_s * 1e9},
        int(gibibytes * GIBIBYTE),
        None,
        source,
        aliases,
    )


_GPUS = (
    _gpu(
        "NVIDIA V100 SXM2",
        {"f64": 7.8, "f32": 15.7, "f16": 125.0},
        900.0,
        16,
        "NVIDIA Tesla V100 data sheet",
        ("V100", "Tesla V100-SXM2-16GB"),
    ),
    _gpu(
        "NVIDIA A100 SXM 80 GB",
        {"f64": 19.5, "f32": 156.0, "bf16": 312.0, "f16": 312.0, "s8": 624.0},
        2039.0,
        80,
        "NVIDIA A100 data sheet, without sparsity; f32 as TF32",
        ("A100", "NVIDIA A100-SXM4-80GB"),
    ),
    _gpu(
        "NVIDIA H100 SXM",
        {"f64": 67.0, "f32": 494.5, "bf16": 989.5, "f16": 989.5, "f8": 1979.0, "s8": 1979.0},
        3350.0,
        80,
        "NVIDIA H100 data sheet, without sparsity; f32 as TF32",
        ("H100", "NVIDIA H100 80GB HBM3"),
    ),
    _gpu(
        "NVIDIA H200 SXM",
        {"f64": 67.0, "f32": 494.5, "bf16": 989.5, "f16": 989.5, "f8": 1979.0, "s8": 1979.0},
        4800.0,
        141,
        "NVIDIA H200 data sheet, without sparsity; f32 as TF32",
        ("H200", "NVIDIA H200"),
    ),
    _gpu(
        "AMD Instinct MI210",
        {"f64": 45.3, "f32": 45.3, "bf16": 181.0, "f16": 181.0, "s8": 181.0},
        1638.4,
        64,
        "AMD Instinct MI210 data sheet, matrix units",
        ("MI210",),
    ),
    _gpu(
        "AMD Instinct MI250",
        {"f64": 45.25, "f32": 45.25, "bf16": 181.05, "f16": 181.05, "s8": 181.05},
        1638.4,
        64,
        "AMD Instinct MI250 data sheet, matrix units; a device is one of the package's two dies, with half of its"
        " 362.1 TFLOP/s of bf16, 3276.8 GB/s and 128 GB",
        ("MI250",),
    ),
    _gpu(
        "AMD Instinct MI250X",
        {"f64": 47.85, "f32": 47.85, "bf16": 191.5, "f16": 191.5, "s8": 191.5},
        1638.4,
        64,
        "AMD Instinct MI250X data sheet, matrix units; a device is one of the package's two dies, with half of its"
        " 383 TFLOP/s of bf16, 3276.8 GB/s and 128 GB",
        ("MI250X",),
    ),
    _gpu(
        "AMD Instinct MI300X",
        {"f64": 163.4, "f32": 163.4, "bf16": 1307.4, "f16": 1307.4, "f8": 2614.9, "s8": 2614.9},
        5325.0,
        192,
        "AMD Instinct MI300X data sheet, matrix units without sparsity",
        ("MI300X",),
    ),
)


def _by_name(models: Sequence[DeviceModel]) -> Mapping[str, DeviceModel]:
    return {_plain(name): model for model in models for name in (model.name, *model.aliases)}


def _plain(name: str) -> str:
    return "".join(name.lower().split())


_MODELS = (*_TPUS, *_GPUS)
_NAMED = _by_name(_MODELS)


def device_models() -> Sequence[DeviceModel]:
    """Every device that is known by name, TPUs first, oldest first."""
    return _MODELS


def device_model(name: str) -> DeviceModel | None:
    """The device of a name or alias (``TPU v5e``, ``TPU v5 lite``, ``v5e``), in any case; None where unknown."""
    return _NAMED.get(_plain(name))
