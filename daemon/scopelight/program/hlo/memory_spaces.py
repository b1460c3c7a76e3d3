"""Memory spaces: where in a machine an array lies, by the numbers in layouts and buffer assignments."""

from collections.abc import Mapping

import attrs

from scopelight.program.hlo.nouns import Shape

MAIN, HOST, OTHER = "main", "host", "other"

_OF_PROFILE: Mapping[int, str] = {1: MAIN, 2: "cmem", 3: "vmem"}
"""Numbers in the stat ``memory_access_breakdown``."""
_WORDS: Mapping[str, str] = {MAIN: "main memory", HOST: "host memory", "vmem": "VMEM", "smem": "SMEM"}


@attrs.frozen
class MemorySpaces:
    """The memories of a kind of device: their names by number, and what arrays of any other number are in."""

    names: Mapping[int, str]
    others: str

    def of_array(self, array: Shape) -> str:
        """The name of the memory that an array's layout names."""
        return self.names.get(array.layout.memory_space if array.layout else 0, self.others)

    def words(self, number: int) -> str:
        """What a person calls the memory of a number."""
        known = _WORDS.get(self.names.get(number, ""))
        return known or (f"{_WORDS[MAIN]}, space {number}" if self.others == MAIN else f"memory space {number}")


ONE_MEMORY = MemorySpaces({0: MAIN, 5: HOST}, others=MAIN)
"""Of a device with one memory of its own: other numbers, as XLA:GPU has, tell kinds of allocations in it apart."""

TPU_MEMORIES = MemorySpaces({0: MAIN, 1: "vmem", 5: HOST, 6: "smem"}, others=OTHER)
"""As XLA:TPU numbers them: 1 is the fast memory beside the core, 5 the host's pinned memory, 6 the scalar core's; 2
(flags of transfers) and what else there may be is other."""


def recorded_space(number: int) -> str:
    """The memory space of a number in ``memory_access_breakdown``."""
    return _OF_PROFILE.get(number, OTHER)
