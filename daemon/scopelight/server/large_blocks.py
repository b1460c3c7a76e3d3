"""Large blocks of memory: mapped by themselves, so that what is no longer needed goes back to the system."""

import ctypes
import sys

_M_MMAP_THRESHOLD = -3
"""glibc's parameter for the size from which on a block of memory is mapped by itself (malloc.h)."""
LEAST_MAPPED_BYTES = 256 << 10


def map_large_blocks() -> None:
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
    mallopt(_M_MMAP_THRESHOLD, LEAST_MAPPED_BYTES)
