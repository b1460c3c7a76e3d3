"""What names of devices say in snapshots of memory and readings of it, in the ways in which jax writes them."""

import re

_ORDINAL = re.compile(r"\d+")


def is_in_main_memory(device: str) -> bool:
    """Whether the arrays of a device lie in the machine's main memory, which the script's process has them in."""
    return device.lower().startswith("cpu")


def ordinal_of(device: str) -> int | None:
    """The number of a device: ``gpu:0``, ``TPU_3(process=0,(0,1,0,0))``; None where the name has none."""
    found = _ORDINAL.search(device)
    return int(found.group()) if found else None
