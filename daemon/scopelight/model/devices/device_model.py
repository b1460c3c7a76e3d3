"""What is known of a kind of device: its peaks, its memory, its matrix unit, and where the figures come from."""

from collections.abc import Mapping

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
    generation: str = ""
    """``gfx942``, of a GPU that is told by its size, for its profiles do not say its name; empty for any other."""
    cores: int | None = None
    """Its compute units, of the same."""
    clock_hz: float | None = None
    """Their greatest clock, of the same."""
    link_bytes_per_s: float | None = None
    """What it sends to other devices over all of its links at once, in one direction; None where it has none, or no
    source says it."""
    program_bytes: int | None = None
    """Of its memory what a compiler gives to programs: the runtime keeps the rest; None where none is known to tell."""


def gpu_model(
    name: str,
    tera_flops: Mapping[str, float],
    gigabytes_per_s: float,
    gibibytes: float,
    source: str,
    aliases: tuple[str, ...] = (),
    generation: str = "",
    cores: int | None = None,
    clock_hz: float | None = None,
) -> DeviceModel:
    """A GPU in the units of data sheets."""
    return DeviceModel(
        name,
        "gpu",
        {element_type: rate * 1e12 for element_type, rate in tera_flops.items()},
        {"main": gigabytes_per_s * 1e9},
        int(gibibytes * GIBIBYTE),
        None,
        source,
        aliases,
        generation=generation,
        cores=cores,
        clock_hz=clock_hz,
    )
