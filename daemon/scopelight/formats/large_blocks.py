"""How the process takes memory for columns from the system."""

import ctypes
import sys
from typing import Final

_M_MMAP_THRESHOLD: Final = -3
"""glibc's parameter for the size from which on a block of memory is mapped by itself (malloc.h)."""
LEAST_MAPPED_BYTES: Final = 256 << 10


def map_large_blocks(least_bytes: int = LEAST_MAPPED_BYTES) -> None:
    """Have large blocks mapped by themselves, so that they go back to the system when they are freed.

    glibc raises its threshold as it goes, up to 32 MiB, and keeps what is freed below it: of a profile of millions of
    events that is half of what reading took. Other systems than Linux with glibc stay as they are.
    """
    if sys.platform != "linux":
        return
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return
    mallopt(_M_MMAP_THRESHOLD, least_bytes)
