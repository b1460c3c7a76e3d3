"""Names of TPUs as clouds sell them, and what libtpu calls the same: ``v5e-8`` is ``v5e:2x4``.

Cloud names count chips (v5e, v6e) or cores (v2 to v4, v5p, 7x); what jax calls a device is a chip where the cores of
one work as one (v4, v5p), else a core. Accepted by libtpu 0.0.51, and tried there:
`tests/python/tpu/test_topologies.py`.
"""

import math
import re
from collections.abc import Mapping

import attrs


@attrs.frozen
class Generation:
    """How one generation is named: ``libtpu`` is its name there, ``device`` that of `model.devices.tpus`.

    A cloud's name counts ``counted_per_chip`` on each chip, jax ``devices_per_chip``. Chips form a grid of
    ``dimensions``; ``host_chips`` are those of one host. ``configuration`` is libtpu's name of how cores work together,
    where the one that clouds use is not its default.
    """

    libtpu: str
    device: str
    counted_per_chip: int
    devices_per_chip: int
    dimensions: int
    most_chips: int
    host_chips: int = 4
    configuration: str | None = None


GENERATIONS: Mapping[str, Generation] = {
    "v2": Generation("v2", "TPU v2", 2, 2, 2, 256),
    "v3": Generation("v3", "TPU v3", 2, 2, 2, 1024),
    "v4": Generation("v4", "TPU v4", 2, 1, 3, 4096, configuration="megacore"),
    "v5e": Generation("v5e", "TPU v5e", 1, 1, 2, 256, host_chips=8),
    "v5p": Generation("v5p", "TPU v5p", 2, 1, 3, 8960),
    "v6e": Generation("v6e", "TPU v6e", 1, 1, 2, 256, host_chips=8),
    "tpu7x": Generation("tpu7x", "TPU 7x", 2, 2, 3, 9216),
}
_OTHER_NAMES: Mapping[str, str] = {
    "v5litepod": "v5e",
    "v5lite": "v5e",
    "v6lite": "v6e",
    "trillium": "v6e",
} | dict.fromkeys(("v7x", "7x", "v7", "ironwood"), "tpu7x")
_NAME = re.compile(r"(?:(?P<slices>\d{1,3})x)?(?P<generation>[a-z0-9]+?)-(?P<count>\d{1,5})")
_GRID = re.compile(r"(?P<generation>[a-z0-9]+):(?P<grid>\d{1,3}(?:x\d{1,3}){1,2})")
_MOST_SLICES = 16


class TopologyError(ValueError):
    """No TPU is called so; the message says what is."""


@attrs.frozen
class Topology:
    """A slice of TPUs, or several: ``name`` as the user wrote it, ``grid`` its chips in each direction."""

    name: str
    generation: Generation
    grid: tuple[int, ...]
    slices: int = 1

    @property
    def devices(self) -> int:
        """As many as jax sees."""
        return math.prod(self.grid) * self.generation.devices_per_chip * self.slices

    @property
    def device(self) -> str:
        """What kind they are, by a name of the table of devices."""
        return self.generation.device

    @property
    def libtpu_name(self) -> str:
        """What libtpu calls one slice."""
        return f"{self.generation.libtpu}:{'x'.join(map(str, self.grid))}"

    @property
    def arguments(self) -> dict[str, object]:
        """What libtpu has to be told besides."""
        told: dict[str, object] = {}
        chips = math.prod(self.grid)
        if chips <= self.generation.host_chips and chips != 4:
            # All of a small slice hang on one host, which libtpu supposes of four.
            told["chips_per_host_bounds"] = (*self.grid, 1, 1)[:3]
        if self.slices > 1:
            told["num_slices"] = self.slices
        if self.generation.configuration is not None:
            told["chip_config_name"] = self.generation.configuration
        return told


def topology_named(name: str) -> Topology:
    """The topology of a name: ``v5e-8``, ``2xv5e-16`` for two slices, or as libtpu writes it, ``v5e:2x4``.

    Raises `TopologyError`.
    """
    plain = name.strip().lower()
    if found := _GRID.fullmatch(plain):
        generation = _generation(found["generation"], name)
        grid = tuple(map(int, found["grid"].split("x")))
        problem = _problem_of_grid(grid, generation)
        if problem is not None:
            raise TopologyError(f"There is no {name.strip()}: {problem}.")
        return Topology(name.strip(), generation, grid)
    found = _NAME.fullmatch(plain)
    if found is None:
        raise TopologyError(_unknown(name))
    generation = _generation(found["generation"], name)
    slices = int(found["slices"] or 1)
    chips, rest = divmod(int(found["count"]), generation.counted_per_chip)
    compact = _grid(chips, generation)
    if rest or compact is None or not 0 < slices <= _MOST_SLICES:
        raise TopologyError(_unknown_size(name, generation))
    return Topology(name.strip(), generation, compact, slices)


def _grid(chips: int, generation: Generation) -> tuple[int, ...] | None:
    """The most compact grid of so many chips: sides are powers of two, the last one the longest.

    These are the default topologies of cloud.google.com/tpu/docs (v5e 8: 2x4; v4 and v5p 16 chips: 2x2x4).
    """
    if not 0 < chips <= generation.most_chips or chips & (chips - 1):
        return None
    doublings = chips.bit_length() - 1
    if generation.dimensions == 2 or chips < 8:
        sides = [1 << (doublings // 2), 1 << (doublings - doublings // 2)]
        flat = sides if chips > 2 else sides[::-1]
        return tuple(flat + [1] * (generation.dimensions - 2))
    return tuple(1 << ((doublings + place) // 3) for place in range(3))


def _problem_of_grid(grid: tuple[int, ...], generation: Generation) -> str | None:
    sides, example = ("three", "2x2x4") if generation.dimensions == 3 else ("two", "2x4")
    such = f"such as {generation.libtpu}:{example}"
    if len(grid) != generation.dimensions:
        return f"chips of {generation.libtpu} form a grid of {sides} sides, {such}"
    if not 0 < math.prod(grid) <= generation.most_chips:
        return f"{generation.libtpu} has 1 to {generation.most_chips} chips, {such}"
    if math.prod(grid) > generation.host_chips and any(side > 1 and side % 2 for side in grid[:2]):
        return f"of chips on several hosts the first two sides are even or 1, {such}"
    return None


def _generation(name: str, whole: str) -> Generation:
    found = GENERATIONS.get(_OTHER_NAMES.get(name, name))
    if found is None:
        raise TopologyError(_unknown(whole))
    return found


def _unknown(name: str) -> str:
    return (
        f"No TPU is called {name}: write a name such as v5e-8, v6e-256, v5p-8 or v4-8, 2xv5e-16 for two slices, or a"
        " grid of chips such as v5e:2x4."
    )


def _unknown_size(name: str, generation: Generation) -> str:
    what = "chips" if generation.counted_per_chip == 1 else "cores, two on each chip"
    most = generation.most_chips * generation.counted_per_chip
    return f"There is no {name}: the number counts {what}, a power of two up to {most}."
