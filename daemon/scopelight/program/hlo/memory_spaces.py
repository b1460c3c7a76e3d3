"""Memory spaces in words: where in a machine an array lies."""

from collections.abc import Mapping

from scopelight.program.hlo.nouns import Shape

MAIN, HOST, OTHER = "main", "host", "other"

_OF_LAYOUT: Mapping[int, str] = {0: MAIN, 1: "vmem", 5: HOST, 6: "smem"}
"""Numbers in the layouts of XLA:TPU, as its compilers write them: 1 the fast memory beside the core, 5 the host's
pinned memory, 6 the scalar core's; 2 (flags of transfers) and what else there may be is other."""

_OF_PROFILE: Mapping[int, str] = {1: MAIN, 2: "cmem", 3: "vmem"}
"""Numbers in the stat ``memory_access_breakdown``."""


_WORDS: Mapping[str, str] = {MAIN: "main memory", HOST: "host memory", "vmem": "VMEM", "smem": "SMEM"}


def space_name(number: int, device_kind: str) -> str:
    """What a person calls the memory space of a number in layouts and buffer assignments."""
    if device_kind != "tpu":
        return _WORDS[HOST] if number == 5 else _WORDS[MAIN] if number == 0 else f"main memory, space {number}"
    return _WORDS.get(_OF_LAYOUT.get(number, OTHER), f"memory space {number}")


def space_of_array(array: Shape, device_kind: str) -> str:
    """The memory space that an array's layout names on a ``tpu``, ``gpu`` or ``cpu``."""
    number = array.layout.memory_space if array.layout else 0
    if device_kind == "tpu":
        return _OF_LAYOUT.get(number, OTHER)
    # The other numbers of XLA:GPU tell kinds of allocations in the device's one memory apart.
    return HOST if number == 5 else MAIN


def recorded_space(number: int) -> str:
    """The memory space of a number in ``memory_access_breakdown``."""
    return _OF_PROFILE.get(number, OTHER)
